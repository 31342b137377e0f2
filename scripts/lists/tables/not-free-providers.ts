import type { Row } from './row.ts';

/** Names on the list of free providers that are not free providers. */
export const NOT_FREE_PROVIDERS: readonly Row[] = [
  {
    names: `gmail.co gmail.co.uk gmail.com.com gmail.it gmail.om hotmail.cm hotmail.com.mx hotmail.kg hotmail.kz hotmail.ru vahoo.com
      yahoo.com.asia yahoo.com.is yahoo.com.ru yahoo.jp yahoo.om yahoo.ru mailru.com liberto.it outlook.com.pe`,
    reason: 'Slip of the finger for a large provider: taking it for a provider would hide the typo',
  },
  {
    names: `alibaba.com ancestry.com barcelona.com casino.com celtic.com discovery.com dnsmadeeasy.com doityourself.com dog.com enel.net
      geek.com go.com homestead.com infomart.or.jp islamonline.net kansascity.com law.com manager.de medscape.com money.net name.com
      oath.com parrot.com postmark.net space.com stade.fr swissinfo.org techspot.com telstra.com wideopenwest.com www.com`,
    reason: 'A company whose staff write from it; what mail it once gave away has ended',
  },
  {
    names: 'yourname.ddns.org yourname.freeservers.com yoursubdomain.findhere.com yoursubdomain.zzn.com',
    reason: 'A placeholder in an example',
  },
];
