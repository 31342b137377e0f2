/** Words that follow an `@` in common texts but are no hosts, although their form would allow it. */
const ROWS: readonly { readonly words: string; readonly reason: string }[] = [
  {
    words: 'alpha beta canary current dev edge head latest lts main master next nightly prod rc stable staging trunk',
    reason: 'a version or branch by name: `react@latest`, `deploy@main`',
  },
  {
    words: 'dawn dusk evening lunch midnight morning night noon sunset today tomorrow tonight',
    reason: 'a time: `lunch@noon`',
  },
  {
    words: 'monday tuesday wednesday thursday friday saturday sunday',
    reason: 'a day: `standup@monday`',
  },
  { words: 'airport gym home office school uni university work', reason: 'a place: `meet me@home`' },
  {
    words: 'cost day each flat hour item market month once par person piece rate retail seat unit week wholesale year',
    reason: 'a price: `two@each`, `seats@month`',
  },
  { words: 'aud cad chf cny dkk eur gbp inr jpy nok sek usd', reason: 'a currency: `swap@USD`' },
  { words: 'bitbucket github gitlab', reason: 'the login of a code host: `git@github`' },
  {
    words: 'discord facebook instagram linkedin mastodon reddit slack telegram tiktok twitter whatsapp youtube',
    reason: 'a handle and its network: `ada@twitter`',
  },
  { words: 'all channel everyone here team', reason: 'a mention: `hey@everyone`' },
  { words: 'bar baz foo host hostname qux server', reason: 'a placeholder of documentation: `foo@bar`, `user@host`' },
];

const NOT_HOSTS: ReadonlySet<string> = new Set(ROWS.flatMap(({ words }) => words.split(' ')));

/** Checks texts of callers that the service stores: notes, attributes, properties, policies. */

/** Invisible on a screen: an address with them reads like one without. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The ideographic full stop, a dot to IDNA. The other two forms become it or the dot itself under NFKC. */
const IDEOGRAPHIC_STOP = /\u3002/g;

/** Escapes of an escape (`%2540`, `&amp;#64;`), removed at once however deep they go. */
const PEELED: readonly [RegExp, string][] = [
  [/%(?:25)+/g, '%'],
  [/&(?:amp;)+/gi, '&'],
  [/\\{2,}/g, '\\'],
];
/** Escaped characters: in URLs (bytes of UTF-8), in HTML (by number or name), in JSON and JavaScript. */
const URL_BYTES = /(?:%[\da-f]{2})+/gi;
const HTML_NUMBER = /&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));?/gi;
const HTML_NAME = /&(commat|period);?/gi;
const SCRIPT = /[\\%]u([\da-f]{4})|\\u\{0*([\da-f]{1,6})\}|\\x([\da-f]{2})/gi;
/** Quoted-printable, as in mail: only before what looks like a domain, because `width=40` is common text. */
const MAIL_AT = /=40(?=\p{L}[\p{L}\p{M}\p{N}-]*(?:\.|=2e)\p{L})/giu;
const MAIL_DOT = /=2e/gi;

const UTF8 = new TextDecoder();
const CODE_POINT_MAX = 0x10ffff;
const character = (code: number): string => (code > CODE_POINT_MAX ? '' : String.fromCodePoint(code));
const ofUrl = (bytes: string): string =>
  UTF8.decode(Uint8Array.from(bytes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16)));

function unescaped(text: string): string {
  return PEELED.reduce((peeled, [pattern, rest]) => peeled.replace(pattern, rest), text)
    .replace(URL_BYTES, ofUrl)
    .replace(HTML_NUMBER, (_, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(HTML_NAME, (_, name: string) => (name.toLowerCase() === 'commat' ? '@' : '.'))
    .replace(SCRIPT, (_, short?: string, long?: string, byte?: string) =>
      character(Number.parseInt(short ?? long ?? byte ?? '', 16)),
    )
    .replace(MAIL_AT, '@')
    .replace(MAIL_DOT, '.');
}

const MAY_BE_ESCAPED = /[%&\\=]/;
/** Escapes of one kind inside another's (`&#37;40`). */
const ESCAPED_TWICE = 2;

const inUsualWidth = (text: string): string =>
  text.normalize('NFKC').replace(INVISIBLE, '').replace(IDEOGRAPHIC_STOP, '.');

/** The forms a reader may see: the text as it is, and unescaped. */
function* readableForms(text: string): Generator<string> {
  let plain = inUsualWidth(text);
  yield plain;
  for (let round = 0; round < ESCAPED_TWICE && MAY_BE_ESCAPED.test(plain); round += 1) {
    plain = inUsualWidth(unescaped(plain));
    yield plain;
  }
}

/** An `@` between a possible end of a local part (also a quoted one) and a possible domain. */
const AROUND_AT = /(?<=[^\s@()<>[\]:;,.\\])@([\p{L}\p{M}\p{N}\-.]+)/gu;
/** A domain without a dot must pass more tests: `ada@corp` is an address, but many texts have an `@`. */
const DOTLESS = {
  /** The text before the `@`, with at least one letter. */
  local: /[\p{L}\p{M}\p{N}_+.'-]*[\p{L}\p{M}\p{N}_+-]$/u,
  localMax: 64,
  letter: /\p{L}/u,
  /** `3x@…`, `1.5kg@…`. */
  measure: /^\d[\d.]*\p{L}{1,3}$/u,
  /** At least three letters, or two of a script without case. `root@host1` and `app@abc123f` are no addresses. */
  host: /^(?:[\p{L}\p{M}-]{3,}|\p{Lo}{2})$/u,
};

function isDotlessAddress(before: string, host: string): boolean {
  const [local = ''] = DOTLESS.local.exec(before) ?? [];
  return (
    DOTLESS.letter.test(local) &&
    !DOTLESS.measure.test(local) &&
    DOTLESS.host.test(host) &&
    !NOT_HOSTS.has(host.toLowerCase())
  );
}

const DOMAIN_MAX = 255;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/** No top-level domain starts with a digit: `v1@2.0` and `3@4.50` are not addresses. */
const TOP_LABEL = /^\p{L}/u;

/**
 * Whether a text may contain an e-mail address: one that the service would read, or one at a domain without a dot
 * (`ada@corp`), also in full-width characters or escaped. `3@4.50`, `@name`, `example.com/@name` and `react@latest` are
 * not addresses, nor is text that must be interpreted or decoded first (`ada at example.com`, base64).
 */
export function holdsAddress(text: string): boolean {
  for (const form of readableForms(text)) if (readsAsAddress(form)) return true;
  return false;
}

function readsAsAddress(text: string): boolean {
  for (const { 1: run = '', index } of text.matchAll(AROUND_AT)) {
    const domain = withoutTail(run);
    const labels = domain.length > DOMAIN_MAX ? [] : domain.split('.');
    if (labels.length === 1 && !isDotlessAddress(text.slice(Math.max(0, index - DOTLESS.localMax), index), domain))
      continue;
    if (labels.length > 0 && labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(labels.at(-1) ?? ''))
      return true;
  }
  return false;
}

/** Drops dots and hyphens after a domain (`ada@example.com.`). A loop: a pattern would be tried from each start. */
function withoutTail(run: string): string {
  let end = run.length;
  while (end > 0 && (run[end - 1] === '.' || run[end - 1] === '-')) end -= 1;
  return run.slice(0, end);
}

/** Postgres stores neither, in text or in JSON. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** The fault of a text to be stored, for a message that names its place, or null. */
export function storedTextFault(text: string): string | null {
  if (UNSTORABLE.test(text)) return 'must not contain a NUL or half a surrogate pair';
  return holdsAddress(text) ? 'must not contain an e-mail address' : null;
}
