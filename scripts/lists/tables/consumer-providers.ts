import type { NamedRow } from './row.ts';

/**
 * Mailboxes of persons, from the providers' own sign-up pages and help texts and long use. Free and known: never disposable.
 */
export const CONSUMER_PROVIDERS: readonly NamedRow[] = [
  {
    who: 'Gmail',
    names: 'gmail.com googlemail.com',
    reason: "Google's consumer mailboxes; googlemail.com is the German and British name of the same accounts",
  },
  {
    who: 'Outlook.com',
    names: `
      hotmail.at hotmail.be hotmail.bg hotmail.ca hotmail.ch hotmail.cl hotmail.co.id hotmail.co.il hotmail.co.in
      hotmail.co.jp hotmail.co.kr hotmail.co.nz hotmail.co.th hotmail.co.uk hotmail.co.za hotmail.com hotmail.com.ar
      hotmail.com.au hotmail.com.br hotmail.com.hk hotmail.com.tr hotmail.com.tw hotmail.com.vn hotmail.cz hotmail.de
      hotmail.dk hotmail.es hotmail.fi hotmail.fr hotmail.gr hotmail.hu hotmail.ie hotmail.it hotmail.jp hotmail.lt
      hotmail.lv hotmail.my hotmail.nl hotmail.no hotmail.ph hotmail.rs hotmail.se hotmail.sg hotmail.sk live.at
      live.be live.ca live.ch live.cl live.cn live.co.kr live.co.uk live.co.za live.com live.com.ar live.com.au
      live.com.mx live.com.my live.com.ph live.com.pt live.com.sg live.de live.dk live.fi live.fr live.hk live.ie
      live.in live.it live.jp live.nl live.no live.ph live.ru live.se livemail.tw msn.co.uk msn.com msn.nl outlook.at
      outlook.be outlook.cl outlook.co.id outlook.co.il outlook.co.nz outlook.co.th outlook.com outlook.com.ar
      outlook.com.au outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn outlook.cz outlook.de outlook.dk
      outlook.es outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr outlook.lv outlook.my
      outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk passport.com windowslive.com`,
    reason: "Microsoft's consumer mailboxes: Outlook.com, Hotmail, Live and MSN in its national variants",
  },
  {
    who: 'Yahoo',
    names: `
      kimo.com myyahoo.com rocketmail.com yahoo.ae yahoo.at yahoo.be yahoo.bg yahoo.ca yahoo.ch yahoo.cl yahoo.cn
      yahoo.co.id yahoo.co.il yahoo.co.in yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.co.uk yahoo.co.za yahoo.com
      yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.cn yahoo.com.co yahoo.com.es yahoo.com.hk yahoo.com.hr
      yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.ua
      yahoo.com.ve yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.ee yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hr
      yahoo.hu yahoo.ie yahoo.in yahoo.it yahoo.lt yahoo.lv yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.rs
      yahoo.se yahoo.si yahoo.sk yahooxtra.co.nz ymail.com`,
    reason: 'Yahoo Mail, and the names it ran it under',
  },
  {
    who: 'Yahoo! Japan',
    names: 'yahoo.co.jp ybb.ne.jp',
    reason: 'Run by LY Corporation, apart from Yahoo',
  },
  {
    who: 'AOL',
    names: `
      aim.com aol.at aol.be aol.ca aol.ch aol.cl aol.co.nz aol.co.uk aol.com aol.com.ar aol.com.au aol.com.br
      aol.com.co aol.com.mx aol.com.tr aol.com.ve aol.cz aol.de aol.dk aol.es aol.fi aol.fr aol.hk aol.in aol.it
      aol.jp aol.nl aol.no aol.pl aol.ru aol.se compuserve.com cs.com games.com love.com netscape.com netscape.net
      verizon.net wmconnect.com wow.com ygm.com`,
    reason: "AOL Mail and the brands it hosts; Verizon's customers were moved to it in 2017",
  },
  {
    who: 'iCloud',
    names: 'icloud.com mac.com me.com',
    reason: "Apple's consumer mailboxes. Hide My Email also gives out icloud.com addresses: no relay by domain",
  },
  {
    who: 'Proton',
    names: 'pm.me proton.me protonmail.ch protonmail.com',
    reason: 'Proton Mail',
  },
  {
    who: 'Tuta',
    names: 'keemail.me tuta.com tuta.io tutamail.com tutanota.com tutanota.de',
    reason: 'Tuta (formerly Tutanota), the free domains it offers at sign-up',
  },
  {
    who: 'Zoho',
    names: 'zoho.com zoho.eu zoho.in zohomail.com zohomail.eu zohomail.in',
    reason: "Zoho Mail's personal addresses",
  },
  {
    who: 'Fastmail',
    names: `
      123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net
      bestmail.us cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net
      emailplus.org emailuser.net eml.cc f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com
      fastest.cc fastimap.com fastmail.cn fastmail.co.uk fastmail.com fastmail.com.au fastmail.de fastmail.es
      fastmail.fm fastmail.fr fastmail.im fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org
      fastmail.se fastmail.to fastmail.tw fastmail.uk fastmail.us fastmailbox.net fastmessaging.com fea.st fmail.co.uk
      fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org
      inoutbox.com internet-e-mail.com internet-mail.org internetemails.net internetmailing.net jetemail.net
      justemail.net letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net
      mailcan.com mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com mailmight.com mailnew.com
      mailsent.net mailservice.ms mailup.net mailworks.org ml1.net mm.st myfastmail.com mymacmail.com nospammail.net
      ownmail.net petml.com postinbox.com postpro.net proinbox.com promessage.com realemail.net reallyfast.biz
      reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net speedymail.org ssl-mail.com swift-mail.com
      the-fastest.net the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net warpmail.net xsmail.com
      yepmail.net your-mail.com`,
    reason:
      'Fastmail, paid mailboxes; the domains its users may choose from. Several disposable lists took them for throwaways',
  },
  {
    who: 'Pobox',
    names: 'pobox.com',
    reason: "Pobox, since 2015 Fastmail's: lifetime addresses of persons",
  },
  {
    who: 'mail.com',
    names: `
      accountant.com activist.com adexec.com africamail.com aircraftmail.com allergist.com alumni.com
      alumnidirector.com americamail.com amorous.com angelic.com archaeologist.com arcticmail.com artlover.com
      asia-mail.com asia.com atheist.com auctioneer.net australiamail.com bartender.net bellair.net berlin.com
      bikerider.com birdlover.com blader.com boardermail.com brazilmail.com brew-master.com brew-meister.com
      bsdmail.com californiamail.com cash4u.com catlover.com cheerful.com chef.net chemist.com chinamail.com clerk.com
      clubmember.org collector.org columnist.com comic.com computer4u.com consultant.com contractor.net coolsite.net
      counsellor.com cutey.com cyber-wizard.com cyberdude.com cybergal.com cyberservices.com dallasmail.com
      dbzmail.com deliveryman.com diplomats.com disciples.com discofan.com doctor.com doglover.com doramail.com dr.com
      dublin.com dutchmail.com earthling.net elvisfan.com email.com engineer.com englandmail.com europe.com
      europemail.com execs.com fan.com fastservice.com feelings.com financier.com fireman.net galaxyhit.com
      gardener.com geologist.com germanymail.com graduate.org graphic-designer.com greenmail.net groupmail.com
      hackermail.com hairdresser.net hilarious.com hiphopfan.com homemail.com hot-shot.com housemail.com humanoid.net
      iname.com innocent.com inorbit.com instruction.com instructor.net insurer.com irelandmail.com israelmail.com
      italymail.com job4u.com journalist.com keromail.com kissfans.com kittymail.com koreamail.com lawyer.com
      legislator.com linuxmail.org lobbyist.com london.com loveable.com lovecat.com madonnafan.com madrid.com
      mail-me.com mail.com mail.org marchmail.com metalfan.com mexicomail.com mindless.com minister.com moscowmail.com
      munich.com musician.org muslim.com myself.com net-shopping.com ninfan.com nonpartisan.com null.net nycmail.com
      optician.com orthodontist.net pacific-ocean.com pacificwest.com pediatrician.com petlover.com photographer.net
      physicist.net planetmail.com planetmail.net polandmail.com politician.com post.com presidency.com priest.com
      programmer.net protestant.com publicist.com qualityservice.com radiologist.net ravemail.com realtyagent.com
      reborn.com reggaefan.com registerednurses.com reincarnate.com religious.com repairman.com representative.com
      rescueteam.com rocketship.com rome.com safrica.com saintly.com salesperson.net samerica.com sanfranmail.com
      scientist.com scotlandmail.com secretary.net snakebite.com socialworker.net sociologist.com solution4u.com
      songwriter.net spainmail.com surgical.net swedenmail.com swissmail.com teachers.org tech-center.com techie.com
      technologist.com theplate.com therapist.net toke.com toothfairy.com torontomail.com tvstar.com umpire.com
      usa.com uymail.com webname.com winning.com witty.com worker.com workmail.com writeme.com yours.com`,
    reason:
      'mail.com (United Internet), the domains its users may choose from. Several disposable lists took them for throwaways',
  },
  {
    who: 'GMX',
    names: `
      caramail.com gmx-ist-cool.de gmx-topmail.de gmx.at gmx.biz gmx.ca gmx.ch gmx.co.uk gmx.com gmx.de gmx.es gmx.eu
      gmx.fr gmx.hk gmx.ie gmx.info gmx.it gmx.li gmx.name gmx.net gmx.org gmx.ph gmx.pt gmx.sg gmx.tm gmx.tw gmx.us`,
    reason: 'GMX (United Internet)',
  },
  {
    who: 'WEB.DE',
    names: 'email.de web.de',
    reason: 'WEB.DE (United Internet)',
  },
  {
    who: 'IONOS consumer',
    names: 'online.de',
    reason: '1&1 / IONOS access customers',
  },
  {
    who: 'Deutsche Telekom',
    names: 'magenta.de t-online.de',
    reason: 'Access and free mail of Deutsche Telekom',
  },
  {
    who: 'freenet',
    names: 'freenet.de',
    reason: 'freenet Mail',
  },
  {
    who: 'Vodafone Germany',
    names: 'arcor.de arcormail.de kabelmail.de vodafone.de vodafonemail.de',
    reason: 'Access customers of Vodafone and the networks it took over',
  },
  {
    who: 'German access networks',
    names: `
      alice-dsl.de alice-dsl.net alice.de ewe.net ewetel.net genion.de htp-tel.de netcologne.de o2mail.de o2online.de
      osnanet.de unitybox.de versanet.de`,
    reason: 'Access customers',
  },
  {
    who: 'German mailboxes',
    names: `
      directbox.com dismail.de e-mail.de home.de lycos.de mail.de mailbox.org posteo.at posteo.ch posteo.de posteo.eu
      posteo.me posteo.net posteo.org posteo.us`,
    reason: 'Mailboxes sold or given to persons',
  },
  {
    who: 'Orange France',
    names: 'orange.fr voila.fr wanadoo.fr',
    reason: 'Access customers of Orange and its older brands',
  },
  {
    who: 'Free',
    names: 'aliceadsl.fr alicepro.fr free.fr libertysurf.fr',
    reason: 'Access customers of Free and the networks it took over',
  },
  {
    who: 'SFR',
    names: '9online.fr cegetel.net club-internet.fr neuf.fr noos.fr numericable.fr sfr.fr',
    reason: 'Access customers of SFR and the networks it took over',
  },
  {
    who: 'Bouygues Telecom',
    names: 'bbox.fr',
    reason: 'Access customers',
  },
  {
    who: 'La Poste',
    names: 'laposte.net',
    reason: 'Free mail of the French post',
  },
  {
    who: 'Mailo',
    names: 'mailo.com net-c.com net-c.fr netc.eu netc.fr netcourrier.com',
    reason: 'Mailo (formerly NetCourrier)',
  },
  {
    who: 'Italiaonline',
    names: 'blu.it giallo.it inwind.it iol.it libero.it virgilio.it',
    reason: 'Libero Mail and Virgilio Mail',
  },
  {
    who: 'TIM',
    names: 'alice.it tim.it tin.it',
    reason: 'Access customers of TIM and its older brands',
  },
  {
    who: 'Italian access networks',
    names: 'email.it fastwebnet.it poste.it teletu.it tiscali.it',
    reason: 'Access and free mail',
  },
  {
    who: 'Spain',
    names: 'euskaltel.net ono.com telefonica.net terra.es ya.com',
    reason: 'Access customers',
  },
  {
    who: 'Portugal',
    names: 'clix.pt iol.pt mail.pt netcabo.pt portugalmail.pt sapo.pt telepac.pt',
    reason: 'Access and free mail',
  },
  {
    who: 'Netherlands',
    names: `
      casema.nl chello.nl hetnet.nl home.nl kpnmail.nl kpnplanet.nl online.nl planet.nl quicknet.nl solcon.nl tele2.nl
      telfort.nl upcmail.nl versatel.nl xs4all.nl zeelandnet.nl zeggis.nl ziggo.nl zonnet.nl`,
    reason: 'Access customers of KPN, Ziggo, Odido and the networks they took over',
  },
  {
    who: 'Belgium',
    names: 'belgacom.net proximus.be scarlet.be skynet.be telenet.be voo.be',
    reason: 'Access customers',
  },
  {
    who: 'BT',
    names: 'btinternet.com btopenworld.com talk21.com',
    reason: "Access customers of BT; bt.com is the company's own",
  },
  {
    who: 'United Kingdom',
    names: `
      blueyonder.co.uk freeserve.co.uk freeserve.com fsmail.net lineone.net madasafish.com ntlworld.com o2.co.uk
      orange.net plus.com sky.com supanet.com talktalk.co.uk talktalk.net tesco.net tiscali.co.uk virgin.net
      virginmedia.co.uk virginmedia.com wanadoo.co.uk`,
    reason: 'Access customers and free mail',
  },
  {
    who: 'Ireland',
    names: 'eircom.net iol.ie upcmail.ie',
    reason: 'Access customers',
  },
  {
    who: 'Switzerland',
    names: 'bluemail.ch bluewin.ch hispeed.ch sunrise.ch swissonline.ch',
    reason: 'Access customers',
  },
  {
    who: 'Austria',
    names: 'a1.net aon.at chello.at inode.at utanet.at',
    reason: 'Access customers',
  },
  {
    who: 'Sweden',
    names: 'bahnhof.se bredband.net comhem.se glocalnet.net spray.se swipnet.se tele2.se telia.com',
    reason: 'Access and free mail',
  },
  {
    who: 'Norway',
    names: 'broadpark.no c2i.net epost.no frisurf.no getmail.no lyse.net online.no start.no',
    reason: 'Access customers',
  },
  {
    who: 'Denmark',
    names: 'jubii.dk mail.dk ofir.dk post.tele.dk stofanet.dk tdcadsl.dk webspeed.dk',
    reason: 'Access and free mail',
  },
  {
    who: 'Finland',
    names: `
      dnainternet.net elisanet.fi kolumbus.fi luukku.com netti.fi pp.inet.fi saunalahti.fi suomi24.fi welho.com`,
    reason: 'Access and free mail',
  },
  {
    who: 'WP',
    names: 'go2.pl o2.pl tlen.pl wp.pl',
    reason: 'Wirtualna Polska; two disposable lists block it',
  },
  {
    who: 'Onet',
    names: `
      amorki.pl autograf.pl buziaczek.pl onet.com.pl onet.eu onet.pl op.pl opoczta.pl poczta.onet.eu poczta.onet.pl
      spoko.pl vp.pl`,
    reason: 'Onet Poczta; two disposable lists block it',
  },
  {
    who: 'Poland',
    names: 'gazeta.pl interia.com interia.eu interia.pl neostrada.pl poczta.fm',
    reason: 'Free mail and access customers',
  },
  {
    who: 'Czech Republic',
    names: 'atlas.cz centrum.cz email.cz post.cz seznam.cz spoluzaci.cz stream.cz volny.cz',
    reason: 'Seznam, Centrum and others: free mail',
  },
  {
    who: 'Slovakia',
    names: 'azet.sk centrum.sk pobox.sk post.sk zoznam.sk',
    reason: 'Free mail',
  },
  {
    who: 'Hungary',
    names: 'citromail.hu freemail.hu indamail.hu t-online.hu upcmail.hu vipmail.hu',
    reason: 'Free mail and access customers',
  },
  {
    who: 'South-eastern Europe',
    names: `
      abv.bg dir.bg eunet.rs forthnet.gr hol.gr in.gr inet.hr mail.bg mailgate.gr net.hr open.telekom.rs otenet.gr
      ptt.rs siol.net`,
    reason: 'Free mail and access customers',
  },
  {
    who: 'Baltics',
    names: 'apollo.lv hot.ee inbox.ee inbox.lt inbox.lv mail.ee mail.lv',
    reason: 'Free mail',
  },
  {
    who: 'Mail.ru',
    names: 'bk.ru inbox.ru internet.ru list.ru mail.ru mail.ua',
    reason: "VK's mail",
  },
  {
    who: 'Yandex',
    names: `
      narod.ru ya.ru yandex.az yandex.by yandex.co.il yandex.com yandex.com.am yandex.com.ge yandex.com.tr yandex.fr
      yandex.kz yandex.ru yandex.tj yandex.tm yandex.ua yandex.uz`,
    reason: 'Yandex Mail; narod.ru is its hosting brand with the same mailboxes',
  },
  {
    who: 'Rambler',
    names: 'autorambler.ru lenta.ru myrambler.ru r0.ru rambler.ru rambler.ua ro.ru',
    reason: 'Rambler Mail',
  },
  {
    who: 'Ukraine',
    names: 'bigmir.net email.ua i.ua meta.ua online.ua ua.fm ukr.net',
    reason: 'Free mail',
  },
  {
    who: 'Belarus, Kazakhstan',
    names: 'mail.kz tut.by',
    reason: 'Free mail',
  },
  {
    who: 'Türkiye',
    names: 'mynet.com superonline.com ttmail.com',
    reason: 'Free mail and access customers',
  },
  {
    who: 'Israel',
    names: '012.net.il bezeqint.net netvision.net.il walla.co.il walla.com zahav.net.il',
    reason: 'Free mail and access customers',
  },
  {
    who: 'Comcast',
    names: 'comcast.net xfinity.com',
    reason: 'Access customers',
  },
  {
    who: 'AT&T',
    names: `
      ameritech.net att.net bellsouth.net flash.net nvbell.net pacbell.net prodigy.net sbcglobal.net snet.net
      swbell.net wans.net worldnet.att.net`,
    reason: "Access customers of AT&T and the Bell companies it took over; the mailboxes are Yahoo's",
  },
  {
    who: 'Charter',
    names: 'bresnan.net charter.net roadrunner.com rr.com spectrum.net twc.com',
    reason: 'Access customers of Charter and Time Warner Cable; rr.com with its regional sub-domains',
  },
  {
    who: 'Cox',
    names: 'cox.net coxmail.com',
    reason: 'Access customers',
  },
  {
    who: 'Lumen',
    names: 'centurylink.net centurytel.net embarqmail.com q.com qwest.net',
    reason: 'Access customers',
  },
  {
    who: 'United States access networks',
    names: `
      alltel.net atlanticbb.net cableone.net earthlink.net epix.net frontier.com frontiernet.net gci.net
      hawaiiantel.net hughes.net juno.com mediacombb.net metrocast.net mindspring.com netzero.com netzero.net
      optimum.net optonline.net peoplepc.com ptd.net rcn.com sparklight.net suddenlink.net tds.net wildblue.net
      windstream.net wowway.com`,
    reason: 'Access customers; frontier.com carries both staff and customers',
  },
  {
    who: 'Portals',
    names: `
      bigfoot.com bluebottle.com canada.com care2.com excite.com hush.ai hush.com hushmail.com hushmail.me inbox.com
      latinmail.com lycos.com mail2world.com mailcity.com safe-mail.net usa.net`,
    reason: 'Free mail of portals, most of it long-standing; disposable lists took several for throwaways',
  },
  {
    who: 'Canada',
    names: `
      bell.net cogeco.ca cogeco.net eastlink.ca mts.net nl.rogers.com rogers.com sasktel.net shaw.ca sympatico.ca
      telus.net videotron.ca`,
    reason: 'Access customers',
  },
  {
    who: 'UOL',
    names: 'bol.com.br uol.com.br zipmail.com.br',
    reason: 'Free mail and access customers',
  },
  {
    who: 'Brazil',
    names: 'globo.com globomail.com ibest.com.br ig.com.br oi.com.br pop.com.br r7.com superig.com.br terra.com.br',
    reason: 'Free mail and access customers',
  },
  {
    who: 'Latin America',
    names: `
      adinet.com.uy arnet.com.ar cantv.net ciudad.com.ar fibertel.com.ar prodigy.net.mx speedy.com.ar terra.cl
      terra.com terra.com.mx une.net.co vtr.net`,
    reason: 'Free mail and access customers',
  },
  {
    who: 'Telstra',
    names: 'bigpond.com bigpond.com.au bigpond.net.au',
    reason: 'Access customers',
  },
  {
    who: 'Australia',
    names: `
      aapt.net.au adam.com.au dodo.com.au iinet.net.au internode.on.net iprimus.com.au optusnet.com.au ozemail.com.au
      tpg.com.au westnet.com.au`,
    reason: 'Access customers',
  },
  {
    who: 'New Zealand',
    names: 'clear.net.nz ihug.co.nz orcon.net.nz paradise.net.nz slingshot.co.nz xtra.co.nz',
    reason: 'Access customers',
  },
  {
    who: 'South Africa',
    names: 'iafrica.com mweb.co.za telkomsa.net vodamail.co.za webmail.co.za',
    reason: 'Access and free mail',
  },
  {
    who: 'India',
    names: 'in.com indiatimes.com rediff.com rediffmail.com',
    reason: 'Free mail of portals',
  },
  {
    who: 'Tencent',
    names: 'foxmail.com qq.com vip.qq.com',
    reason: 'QQ Mail; a disposable list once held it',
  },
  {
    who: 'NetEase',
    names: '126.com 163.com 188.com netease.com vip.126.com vip.163.com yeah.net',
    reason: 'NetEase Mail; a disposable list once held it',
  },
  {
    who: 'Sina',
    names: 'sina.cn sina.com sina.com.cn vip.sina.com',
    reason: 'Sina Mail',
  },
  {
    who: 'China',
    names: '139.com 189.cn 263.net aliyun.com eyou.com sohu.com tom.com wo.cn wo.com.cn',
    reason: 'Free mail of portals and of the three network operators; a disposable list once held several',
  },
  {
    who: 'Hong Kong, Taiwan, South-East Asia',
    names: `
      hinet.net netvigator.com pacific.net.sg pchome.com.tw seed.net.tw singnet.com.sg so-net.net.tw starhub.net.sg
      streamyx.com telkom.net tm.net.my`,
    reason: 'Access and free mail',
  },
  {
    who: 'Japanese carriers',
    names: `
      au.com auone-net.jp disney.ne.jp docomo.ne.jp ezweb.ne.jp i.softbank.jp mopera.net rakuten.jp softbank.ne.jp
      uqmobile.jp vodafone.ne.jp willcom.com y-mobile.ne.jp ymobile.ne.jp`,
    reason: 'Mobile mailboxes',
  },
  {
    who: 'Japanese access networks',
    names: `
      asahi-net.or.jp bbiq.jp biglobe.ne.jp commufa.jp dion.ne.jp eonet.ne.jp excite.co.jp goo.jp hi-ho.ne.jp
      infoseek.jp jcom.home.ne.jp jcom.zaq.ne.jp mail.goo.ne.jp nifty.com ocn.ne.jp plala.or.jp so-net.ne.jp`,
    reason: 'Access and free mail',
  },
  {
    who: 'Korea',
    names: `
      chol.com daum.net dreamwiz.com empal.com freechal.com hanafos.com hanmail.net hanmir.com kakao.com korea.com
      lycos.co.kr nate.com naver.com paran.com`,
    reason: 'Free mail; a disposable list once held naver.com',
  },
  {
    who: 'Paid and private mailboxes',
    names: `
      autistici.org countermail.com disroot.org hey.com kolabnow.com lavabit.com mailfence.com onmail.com posteo.it
      riseup.net runbox.com startmail.com thexyz.com vivaldi.net`,
    reason: 'Mailboxes of persons, most of them paid; filed as relays or throwaways by some lists',
  },
];
