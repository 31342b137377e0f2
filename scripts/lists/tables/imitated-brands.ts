import type { NamedRow } from './row.ts';

/**
 * Brands that criminals imitate and that the lists of popular sites and of brands' logos miss. A look-alike is told by them and
 * by those lists.
 */
export const IMITATED_BRANDS: readonly NamedRow[] = [
  {
    who: 'Carriers and networks',
    names: 'verizon.com kddi.com optus.com.au swisscom.ch',
    reason: "Among the 50 brands of Cloudflare's report on phishing of 2023",
  },
  {
    who: 'Parcels and post',
    names: 'dhl.com post.ch inpost.pl correos.es dpd.de',
    reason: "Cloudflare's 50 of 2023; DHL second in several of Check Point's brand phishing reports",
  },
  {
    who: 'Banks and cards',
    names: `
      chase.com americanexpress.com ing.com ing.nl bradesco.com.br caixa.gov.br jcb.co.jp smbc.co.jp mufg.jp
      bankmillennium.pl itau.com.br`,
    reason: "Cloudflare's 50 of 2023",
  },
  {
    who: 'More banks',
    names: `
      citibank.com citi.com capitalone.com usbank.com santander.com bbva.com bbva.es barclays.co.uk lloydsbank.com
      natwest.com halifax.co.uk commerzbank.de deutsche-bank.de postbank.de labanquepostale.fr credit-agricole.fr
      bnpparibas.com societegenerale.fr intesasanpaolo.com unicredit.it poste.it`,
    reason: "The largest of their countries: finance is the sector imitated most in Cloudflare's report. Kept by hand",
  },
  {
    who: 'Authorities and services',
    names: 'irs.gov npci.org.in jreast.co.jp aeon.co.jp lexisnexis.com office365.com steamcommunity.com',
    reason: "Cloudflare's 50 of 2023",
  },
  {
    who: 'Alibaba',
    names: 'alibaba.com',
    reason: "Fifth in Check Point's brand phishing report of the end of 2024",
  },
  {
    who: 'More carriers, posts, shops and services',
    names: `
      vodafone.com dhl.de royalmail.com gls-group.eu laposte.fr costco.com bestbuy.com docusign.com metamask.io
      kraken.com wise.com slack.com`,
    reason: 'Large brands of the same sectors, kept by hand',
  },
];
