import type { NamedRow } from './row.ts';

/**
 * Brands that criminals imitate, where the lists of popular sites and of brands' logos do not have them: what a look-alike is
 * told by, beside those lists. Their own staff write from them.
 */
export const IMITATED_BRANDS: readonly NamedRow[] = [
  {
    who: 'Carriers and networks',
    names: 'verizon.com kddi.com optus.com.au swisscom.ch vodafone.com',
    reason: "Among the 50 brands of Cloudflare's report on phishing of 2023; Vodafone in Vade's Phishers' Favorites",
  },
  {
    who: 'Parcels and post',
    names: 'dhl.com dhl.de post.ch inpost.pl correos.es dpd.de royalmail.com gls-group.eu laposte.fr',
    reason: "Cloudflare's 50 of 2023; DHL second in Check Point's brand phishing reports; the posts of large countries",
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
    reason: "The largest of their countries; banking is the sector imitated most in Cloudflare's and Vade's reports",
  },
  {
    who: 'Authorities and services',
    names: 'irs.gov npci.org.in jreast.co.jp aeon.co.jp lexisnexis.com office365.com steamcommunity.com',
    reason: "Cloudflare's 50 of 2023",
  },
  {
    who: 'Shops, money and work',
    names: 'alibaba.com costco.com bestbuy.com docusign.com metamask.io kraken.com wise.com slack.com',
    reason: "Alibaba in Check Point's report of 2024; the others in Vade's Phishers' Favorites or their like in it",
  },
];
