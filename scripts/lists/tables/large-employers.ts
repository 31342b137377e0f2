import type { NamedRow } from './row.ts';

/**
 * Domains that many people write from at work, of employers and authorities that the lists of popular sites, brands and schools
 * miss. No source may block one, however many list it. Names below a restricted suffix (`gov`, `nhs.uk`) need no row.
 *
 * Written down from memory. The row that names a list was held against it; most other names have no second source. It does not rank:
 * a large employer may be missing. A name that is wrong here is one domain that the lists cannot block.
 */
export const LARGE_EMPLOYERS: readonly NamedRow[] = [
  {
    who: 'Health services',
    names: `
      nhs.net nhs.scot kp.org mayo.edu clevelandclinic.org charite.de ukaachen.de aphp.fr chu-lyon.fr helios-gesundheit.de
      hse.ie karolinska.se usz.ch insel.ch hcahealthcare.com ascension.org providence.org sutterhealth.org`,
    reason:
      'Among the largest employers of their countries, from memory; NHSmail alone has more than a million mailboxes',
  },
  {
    who: 'Carriers',
    names: `
      telekom.de t-systems.com telekom.com orange.com telefonica.com telefonica.de vodafone.de vodafone.co.uk telecomitalia.it
      gruppotim.it swisscom.com a1.at kpn.com proximus.be telia.com telenor.com telenor.no elisa.fi tele2.com bouyguestelecom.fr
      sfr.com iliad.fr att.com t-mobile.com charter.com lumen.com rogers.com bell.ca telus.com ntt.com softbank.co.jp
      telstra.com.au singtel.com reliance.com airtel.com jio.com etisalat.ae stc.com.sa mtn.com`,
    reason: "From memory: their staff's domains, beside those of the mailboxes they give to customers",
  },
  {
    who: 'Germany, Austria, Switzerland',
    names: `
      siemens.com bosch.com bosch.de volkswagen.de vw.de daimler.com mercedes-benz.com bmw.de bmwgroup.com audi.de porsche.de
      continental.com continental-corporation.com zf.com schaeffler.com thyssenkrupp.com basf.com bayer.com henkel.com
      merckgroup.com fresenius.com deutschebahn.com dbschenker.com lufthansa.com dlh.de deutschepost.de allianz.de allianz.com
      munichre.com ergo.de sparkasse.de kfw.de rwe.com eon.com enbw.com vattenfall.de infineon.com sap.com edeka.de rewe-group.com
      lidl.de schwarz-gruppe.com otto.de fraunhofer.de mpg.de dlr.de helmholtz.de tuev-sued.de tuv-nord.com dekra.com oebb.at
      voestalpine.com omv.com erstegroup.com roche.com novartis.com nestle.com abb.com ubs.com swissre.com zurich.com sbb.ch
      migros.ch coop.ch`,
    reason: 'Large employers, from memory',
  },
  {
    who: 'France, Benelux, Iberia, Italy',
    names: `
      totalenergies.com edf.fr engie.com sncf.fr ratp.fr airbus.com thalesgroup.com safrangroup.com renault.com stellantis.com
      michelin.com saint-gobain.com veolia.com capgemini.com atos.net sanofi.com loreal.com danone.com carrefour.com auchan.fr
      axa.com axa.fr bpce.fr cnrs.fr inserm.fr cea.fr inria.fr philips.com ing.be abnamro.com rabobank.nl asml.com shell.com
      unilever.com ahold.com aholddelhaize.com kbc.be solvay.com iberdrola.es repsol.com inditex.com caixabank.com edp.pt eni.com
      enel.com leonardo.com fiat.com ferrari.com generali.com pirelli.com trenitalia.it`,
    reason: 'Large employers, from memory',
  },
  {
    who: 'Britain, Ireland, the North, the East',
    names: `
      bbc.co.uk bp.com gsk.com astrazeneca.com hsbc.com barclays.com tesco.com sainsburys.co.uk rolls-royce.com baesystems.com
      networkrail.co.uk tfl.gov.uk nationalgrid.com centrica.com aviva.com prudential.co.uk kpmg.co.uk riotinto.com
      volvo.com volvocars.com ericsson.com ikea.com scania.com skf.com hm.com maersk.com novonordisk.com lego.com equinor.com
      dnb.no nokia.com kone.com nordea.com pkobp.pl orlen.pl cez.cz skoda-auto.cz otpbank.hu mol.hu`,
    reason: 'Large employers, from memory',
  },
  {
    who: 'The United States',
    names: `
      walmart.com exxonmobil.com chevron.com ge.com gm.com ford.com boeing.com rtx.com northropgrumman.com caterpillar.com
      honeywell.com dupont.com pepsico.com jnj.com pfizer.com merck.com abbvie.com unitedhealthgroup.com cvshealth.com
      target.com homedepot.com lowes.com ups.com fedex.com aa.com delta.com united.com marriott.com hilton.com comcast.com
      ibm.com intel.com oracle.com cisco.com hp.com hpe.com microsoft.com amazon.com meta.com bankofamerica.com
      wellsfargo.com morganstanley.com statefarm.com allstate.com metlife.com`,
    reason:
      'Each is the website of a company with more than 20,000 staff in the Fortune 500 of 2025 (github.com/Kineviz/fortune500, list.csv)',
  },
  {
    who: 'The Americas',
    names: `
      geaerospace.com lmco.com johndeere.com mmm.com pg.com coca-cola.com optum.com walgreens.com kroger.com usps.com
      disney.com us.ibm.com dell.com google.com fb.com jpmchase.com jpmorgan.com gs.com deloitte.com ey.com pwc.com kpmg.com
      accenture.com mckinsey.com bcg.com bain.com rbc.com td.com bmo.com petrobras.com.br vale.com itau-unibanco.com.br
      bb.com.br pemex.com cemex.com`,
    reason: 'Large employers, and second domains of theirs, from memory',
  },
  {
    who: 'Asia, Africa, Oceania',
    names: `
      toyota.co.jp honda.co.jp sony.com panasonic.com hitachi.com toshiba.co.jp fujitsu.com mitsubishielectric.com nissan.co.jp
      samsung.com lge.com hyundai.com kia.com posco.com tsmc.com foxconn.com huawei.com zte.com.cn lenovo.com tencent.com
      alibaba-inc.com bytedance.com baidu.com tcs.com infosys.com wipro.com hcl.com techmahindra.com tatamotors.com ril.com sbi.co.in
      icicibank.com hdfcbank.com saudiaramco.com aramco.com emirates.com sasol.com standardbank.co.za bhp.com woolworths.com.au
      cba.com.au westpac.com.au anz.com nab.com.au`,
    reason: 'Large employers, from memory',
  },
  {
    who: 'Authorities without a restricted suffix',
    names: `
      bund.de bundestag.de bundeswehr.org polizei.de zoll.de arbeitsagentur.de bayern.de nrw.de berlin.de hamburg.de hessen.de
      niedersachsen.de sachsen.de admin.ch europa.eu un.org who.int worldbank.org imf.org oecd.org icrc.org unicef.org
      government.nl politie.nl rijksoverheid.nl belgium.be fgov.be regeringen.se polisen.se skatteverket.se
      stortinget.no politiet.no regjeringen.no skat.dk politi.dk vero.fi poliisi.fi gov.wales police.nsw.gov.au`,
    reason: 'From memory: ministries, police, tax offices and treaty organisations',
  },
  {
    who: 'Registries of names and numbers',
    names: `
      icann.org iana.org verisign.com afilias.info pir.org nic.fr afnic.fr denic.de nic.at switch.ch nominet.uk nominet.org.uk
      sidn.nl dns.be eurid.eu nic.it red.es dns.pt iis.se internetstiftelsen.se norid.no punktum.dk nask.pl nic.cz cira.ca
      registro.br nic.mx auda.org.au jprs.jp cnnic.cn kisa.or.kr ripe.net arin.net apnic.net lacnic.net afrinic.net isc.org
      ietf.org w3.org`,
    reason: 'From memory: who gives out names and addresses of the internet',
  },
];
