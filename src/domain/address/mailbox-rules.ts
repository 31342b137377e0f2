/** `outlook.fr`, `outlook.co.uk`, …: national domains of a provider, each with names of its own. */
export const national = (name: string, ...suffixes: readonly string[]): readonly string[] =>
  suffixes.flatMap((group) => group.split(' ')).map((suffix) => `${name}.${suffix}`);

/** Domains of the large mailbox providers: what one of them publishes of its addresses holds for all of its row. */
export const PROVIDER_DOMAINS = {
  gmail: ['gmail.com', 'googlemail.com'],
  outlook: [
    'hotmail.com',
    'live.com',
    'msn.com',
    'outlook.com',
    'passport.com',
    'windowslive.com',
    ...national(
      'hotmail',
      'be ca ch cl cz de dk es fi fr gr hu it lv my nl no ph se sg sk',
      'co.id co.il co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.mx com.tr com.vn',
    ),
    ...national(
      'live',
      'at be ca ch cl cn de dk fi fr hk ie in it jp nl no ru se',
      'co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg',
    ),
    ...national(
      'outlook',
      'at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk',
      'co.id co.il co.nz co.th com.ar com.au com.br com.gr com.pe com.tr com.vn',
    ),
  ],
  icloud: ['icloud.com', 'me.com', 'mac.com'],
  proton: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
  yandex: [
    'ya.ru',
    ...national('yandex', 'ru com by kz ua az co.il com.am com.ge com.tr ee fi fr kg lt lv md pl tj tm uz'),
  ],
  yahoo: [
    'yahoo.com',
    ...national(
      'yahoo',
      'be ca cl de dk es fi fr gr hu ie in it nl no pl pt ro se',
      'co.id co.in co.nz co.th co.uk co.za',
      'com.ar com.au com.br com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.vn',
    ),
  ],
  aol: ['aol.com', 'aim.com', ...national('aol', 'de fr it es', 'co.uk com.br')],
  gmx: [...national('gmx', 'de net at ch com org info biz eu li ltd tm us', 'co.uk com.tr')],
  webDe: ['web.de'],
  naver: ['naver.com'],
  qq: ['qq.com', 'foxmail.com'],
  netEase: ['163.com', '126.com', 'yeah.net'],
  mailRu: ['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru', 'internet.ru'],
} satisfies Readonly<Record<string, readonly string[]>>;

/**
 * What a mailbox provider lets a local part be, as wide as it ever was: an old address that breaks today's rules is kept
 * (`exceptions`). Lower case; length and characters are counted without a tag.
 */
interface MailboxRule {
  /** Lower-case A-labels. */
  readonly domains: readonly string[];
  /** Every character there can be. */
  readonly characters: RegExp;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  /** Dots are free: they count for no length. */
  readonly dotsAreFree?: true;
  /** What the provider publishes, and where. */
  readonly source: string;
  /** Which addresses break what is published today, and how the row makes room for them. */
  readonly exceptions: string;
  /** Breaches that a few real addresses have, or that no page of the provider's rules out. */
  readonly seldom?: readonly MailboxFault[];
  /** Breaches among these of a rule that the provider has published. */
  readonly published?: readonly MailboxFault[];
}

const MAILBOX_RULES: readonly MailboxRule[] = [
  {
    domains: PROVIDER_DOMAINS.gmail,
    characters: /^[a-z0-9.]+$/,
    lengthMin: 6,
    lengthMax: 30,
    dotsAreFree: true,
    source: 'support.google.com/mail/answer/9211434: 6 to 30 letters, digits and dots; no underscore, no hyphen',
    exceptions:
      'Of length: accounts of the first years have three to five characters (`phot+…@gmail.com`, afair/email_address issues 86 and 91); one or two were seen nowhere. Of characters none is known',
    seldom: ['too_short'],
    published: ['too_short'],
  },
  {
    domains: PROVIDER_DOMAINS.outlook,
    characters: /^[a-z0-9._-]+$/,
    lengthMax: 64,
    source:
      'Microsoft account sign-up: letters, digits, periods, hyphens and underscores; the same, 1 to 64, in Mailgun flanker’s hotmail.py',
    exceptions: 'Hotmail of the 1990s gave out one letter, and a digit in front: no shortest length, no first letter',
  },
  {
    domains: PROVIDER_DOMAINS.yahoo,
    characters: /^[a-z0-9._-]+$/,
    lengthMax: 64,
    source:
      'Yahoo sign-up: 4 to 32 letters, digits, underscores and one dot; Yahoo Help SLN16026: base name-keyword. The same in Mailgun flanker’s yahoo.py and, of 2008, at verb.fyi/2008/08/29/webmail-username-criteria',
    exceptions:
      'Names of the 1990s are shorter, and names taken over with Rocketmail have more dots; a keyword makes them longer',
  },
  {
    domains: PROVIDER_DOMAINS.aol,
    characters: /^[a-z0-9._]+$/,
    lengthMin: 3,
    lengthMax: 32,
    source: 'AOL sign-up: 3 to 32 letters, digits, dots and underscores; the same in Mailgun flanker’s aol.py',
    exceptions: 'None is known: screen names always had three characters',
  },
  {
    domains: PROVIDER_DOMAINS.icloud,
    characters: /^[a-z0-9._-]+$/,
    lengthMin: 3,
    source:
      'Apple, "Create a primary email address for iCloud Mail": 3 to 20 letters, digits, periods and underscores; the same in Mailgun flanker’s icloud.py',
    exceptions:
      'Hide My Email makes addresses with hyphens that are longer (`dapper_0quails-x@icloud.com`); MobileMe had hyphens (verb.fyi, 2008)',
  },
  {
    domains: PROVIDER_DOMAINS.proton,
    characters: /^[a-z0-9._-]+$/,
    lengthMax: 40,
    source:
      'Proton sign-up: up to 40 letters, digits, dots, hyphens and underscores; proton.me/support/change-username names the three signs',
    exceptions: 'Short names of one letter are sold: no shortest length',
  },
  {
    domains: PROVIDER_DOMAINS.gmx,
    characters: /^[a-z0-9._-]+$/,
    source: 'GMX sign-up: letters, digits, dot, hyphen and underscore. No page of theirs says so',
    exceptions: 'Early addresses are customer numbers and short names: no length',
    seldom: ['characters'],
  },
  {
    domains: PROVIDER_DOMAINS.webDe,
    characters: /^[a-z0-9._-]+$/,
    source: 'WEB.DE sign-up: letters, digits, dot, hyphen and underscore. No page of theirs says so',
    exceptions: 'Early addresses are short: no length',
    seldom: ['characters'],
  },
  {
    domains: PROVIDER_DOMAINS.qq,
    characters: /^(?:[1-9]\d{4,10}|[a-z][a-z0-9._-]{2,17})$/,
    source: 'QQ Mail: a QQ number of 5 to 11 digits, or a name of 3 to 18 characters that begins with a letter',
    exceptions: 'None is known: QQ numbers begin at 10000',
  },
  {
    domains: PROVIDER_DOMAINS.netEase,
    characters: /^[a-z0-9._-]+$/,
    lengthMin: 3,
    lengthMax: 30,
    source:
      'NetEase sign-up: 6 to 18 letters, digits and underscores, a letter first; or a mobile number. The same of an agent: 163yunyou.com/newsitem/597.html',
    exceptions: 'Names from before 2004 have fewer characters, dots and hyphens, and digits in front',
  },
  {
    domains: PROVIDER_DOMAINS.naver,
    characters: /^[a-z0-9_-]+$/,
    lengthMin: 3,
    lengthMax: 20,
    source:
      'NAVER sign-up: 5 to 20 lower-case letters, digits, underscores and hyphens; no dot. No page of theirs says so',
    exceptions: 'Names from before 2003 have three or four characters',
    seldom: ['characters', 'too_short', 'too_long'],
  },
  {
    domains: PROVIDER_DOMAINS.yandex,
    characters: /^[a-z0-9.-]+$/,
    lengthMax: 30,
    source:
      'yandex.com/support/domain/domain/mail.html: up to 30 letters, digits, hyphens and dots; or a telephone number',
    exceptions: 'Early logins begin with a digit and are of one letter: no first letter, no shortest length',
  },
  {
    domains: PROVIDER_DOMAINS.mailRu,
    characters: /^[a-z0-9._-]+$/,
    lengthMax: 31,
    source: 'help.mail.ru/engmail-help/registration/namepass: 4 to 31 letters, digits, dots, underscores and hyphens',
    exceptions: 'Early names are of one to three characters: no shortest length',
  },
];

const BY_DOMAIN: ReadonlyMap<string, MailboxRule> = new Map(
  MAILBOX_RULES.flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);

/** Why a local part can't be an address at its provider. `far_too_short`: at most a third of the shortest. */
export type MailboxFault = 'far_too_short' | 'too_short' | 'too_long' | 'characters';

const withoutTag = (local: string): string => {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
};

/** Whether such a local part is only seldom given out, and not never. `domain`: lower-case A-labels. */
export const isSeldom = (fault: MailboxFault, domain: string): boolean =>
  BY_DOMAIN.get(domain)?.seldom?.includes(fault) === true;

/** Whether the provider publishes the rule that is broken. */
export const isPublished = (fault: MailboxFault, domain: string): boolean =>
  BY_DOMAIN.get(domain)?.published?.includes(fault) === true;

/**
 * `local`: as typed, its tag included; `domain`: lower-case A-labels. Null means it can be, or the provider is not in the
 * table.
 */
export function mailboxFault(local: string, domain: string): MailboxFault | null {
  const rule = BY_DOMAIN.get(domain);
  if (rule === undefined) return null;
  const { characters, lengthMin = 1, lengthMax = Number.POSITIVE_INFINITY, dotsAreFree = false } = rule;
  const name = withoutTag(local.toLowerCase());
  if (!characters.test(name)) return 'characters';
  const counted = dotsAreFree ? name.replaceAll('.', '') : name;
  if (counted.length < lengthMin) return counted.length * 3 <= lengthMin ? 'far_too_short' : 'too_short';
  return counted.length > lengthMax ? 'too_long' : null;
}
