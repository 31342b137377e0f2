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
