/** What a text has to be like that a caller sends and the service keeps: notes, attributes, properties, policies. */

/** Left out on a screen, so an address with them in it reads as one without. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The ideographic full stop, a dot to IDNA. The other two forms become it or the dot itself under NFKC. */
const IDEOGRAPHIC_STOP = /\u3002/g;

/** As a link has it (`mailto:ada%40example.com`). */
const ESCAPED_AT = /%40/g;

/** An `@` behind what can end a local part, a quoted one too, and what may be a domain behind it. */
const AROUND_AT = /(?<=[^\s@()<>[\]:;,.\\])@([\p{L}\p{M}\p{N}\-.]+)/gu;

const DOMAIN_MAX = 255;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/** No top-level domain begins with a digit: `v1@2.0` and `3@4.50` are no addresses. */
const TOP_LABEL = /^\p{L}/u;

/**
 * Whether a text has in it what the service would read as an e-mail address, also in full-width characters or escaped. Not
 * addresses: `3@4.50`, `@name`, `root@localhost`, nor what only a person understands (`ada at example.com`).
 */
export function holdsAddress(text: string): boolean {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(IDEOGRAPHIC_STOP, '.').replace(ESCAPED_AT, '@');
  for (const [, run = ''] of plain.matchAll(AROUND_AT)) {
    const domain = withoutTail(run);
    const labels = domain.length > DOMAIN_MAX ? [] : domain.split('.');
    if (labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(labels.at(-1) ?? ''))
      return true;
  }
  return false;
}

/** Of `ada@example.com.` and `ada@example.com--` the domain ends before. A loop, for a pattern would try each start. */
function withoutTail(run: string): string {
  let end = run.length;
  while (end > 0 && (run[end - 1] === '.' || run[end - 1] === '-')) end -= 1;
  return run.slice(0, end);
}

/** Postgres takes neither, in text or in JSON. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** What is wrong with a text that is to be kept, for a message that names its place; null when nothing is. */
export function storedTextFault(text: string): string | null {
  if (UNSTORABLE.test(text)) return 'must not hold a NUL or half a surrogate pair';
  return holdsAddress(text) ? 'must not hold an e-mail address' : null;
}
