/**
 * Shares of public suffixes: how likely an address of a company, school or person's own domain ends so. Orders of magnitude
 * from the registries' published counts of registrations (the quarterly Domain Name Industry Brief and the registries' own
 * reports), .edu and .gov by their people.
 */
const ROWS: readonly { readonly share: number; readonly suffixes: string }[] = [
  { share: 0.45, suffixes: 'com' },
  { share: 0.04, suffixes: 'net org de' },
  { share: 0.02, suffixes: 'co.uk nl fr it ru edu com.br' },
  { share: 0.01, suffixes: 'com.au ca pl ch es eu cn co.jp in' },
  { share: 0.004, suffixes: 'at be se dk cz jp us info io co no fi gov org.uk ac.uk com.cn co.za com.mx com.ar' },
  {
    share: 0.0015,
    suffixes: `
      biz me tv ai app dev hu ro gr pt ie sk ua kr co.kr co.nz co.in com.tr com.tw com.hk com.sg com.my com.co ir il
      co.il mx cl ar nz tr uk id co.id com.vn vn ne.jp or.jp net.au org.au edu.au mil online xyz site shop store tech`,
  },
];

const SHARES = new Map(
  ROWS.flatMap(({ share, suffixes }) =>
    suffixes
      .trim()
      .split(/\s+/)
      .map((suffix) => [suffix, share] as const),
  ),
);
/** Of the thousand suffixes left, each. */
const OTHER_SHARE = 0.0001;

export const suffixShare = (suffix: string): number => SHARES.get(suffix) ?? OTHER_SHARE;

/** What a domain whose last label exists nowhere may have been meant to end in. */
export const DOMAIN_SUFFIXES: readonly string[] = [...SHARES.keys()];

/** Last labels that were meant as they stand although they are not delegated. */
export const NOT_DELEGATED: ReadonlySet<string> = new Set(
  [
    // Country codes once delegated and since retired (ISO 3166-3): addresses in old files.
    'an cs dd tp um yu zr',
    // Country codes of ISO 3166-1 never delegated.
    'bl bq eh mf',
    // Special-use names (RFC 6761, 6762, 9476) and ICANN's reserved or never-delegated private ones.
    'alt corp example home internal invalid lan local localdomain localhost mail test intranet private',
  ].flatMap((names) => names.split(' ')),
);
