import type { BounceClass } from './words.ts';

/**
 * The codes kept of a bounce message: basic reply code (RFC 5321), `550`, and enhanced status code (RFC 3463), `5.1.1`.
 */
export interface SmtpCodes {
  readonly code: string | null;
  readonly enhanced: string | null;
}

/** `code`: the start of a code; without a final dot it has to match whole. */
interface CodeRow {
  readonly code: string;
  readonly class: BounceClass;
  readonly source: string;
}

/** Classes by enhanced code, used where no row of words matches. The first row decides; a code without one says nothing. */
const ENHANCED: readonly CodeRow[] = [
  { code: '2.', class: null, source: 'RFC 3463: success; the report contradicts itself' },
  { code: '4.2.2', class: 'full', source: 'RFC 3463: mailbox full, for now' },
  { code: '4.7.', class: null, source: 'RFC 3463: policy; greylisting and rates: "421 4.7.0 Try again later"' },
  { code: '4.5.', class: null, source: 'RFC 3463: the sender did not keep to the protocol' },
  { code: '4.6.', class: null, source: 'RFC 3463: the message’s content or encoding' },
  { code: '4.', class: 'soft', source: 'RFC 3463: persistent transient failure' },
  { code: '5.1.1', class: 'user_unknown', source: 'RFC 3463: bad destination mailbox address' },
  { code: '5.1.10', class: 'user_unknown', source: 'Exchange Online: "550 5.1.10 RESOLVER.ADR.RecipientNotFound"' },
  { code: '5.1.3', class: 'user_unknown', source: 'RFC 3463: bad destination mailbox address syntax' },
  { code: '5.1.2', class: 'refused', source: 'RFC 3463: bad destination system address' },
  { code: '5.1.6', class: 'refused', source: 'RFC 3463: the mailbox has moved' },
  { code: '5.2.1', class: 'refused', source: 'RFC 3463: mailbox disabled' },
  { code: '5.2.2', class: 'full', source: 'RFC 3463: mailbox full' },
  { code: '5.2.3', class: null, source: 'RFC 3463: the message is too long' },
  { code: '5.3.4', class: null, source: 'RFC 3463: the message is too big for the system' },
  { code: '5.2.4', class: 'soft', source: 'RFC 3463: mailing list expansion problem' },
  { code: '5.3.', class: 'soft', source: 'RFC 3463: the mail system, not the mailbox' },
  { code: '5.4.1', class: 'soft', source: 'RFC 3463: no answer from host; Microsoft’s own use stands in `HOST_CODES`' },
  { code: '5.4.4', class: 'refused', source: 'RFC 3463: unable to route; Exchange: the domain has no such host' },
  { code: '5.4.310', class: 'refused', source: 'Exchange Online: the DNS domain does not exist' },
  { code: '5.4.5', class: null, source: 'Gmail: "550 5.4.5 Daily user sending limit exceeded"' },
  { code: '5.4.', class: 'soft', source: 'RFC 3463: routing, network, loops, expiry' },
  { code: '5.7.13', class: 'refused', source: 'RFC 5248: the user’s account is disabled' },
  { code: '5.7.17', class: 'refused', source: 'RFC 7293: the mailbox has another owner now' },
  { code: '5.7.18', class: 'refused', source: 'RFC 7293: the domain has another owner now' },
];

/** A code without a word, as the reporter's own bounce handling has read it. Another permanent one refuses. */
const BARE: readonly CodeRow[] = [
  { code: '2.', class: null, source: 'RFC 5321: accepted; the report contradicts itself' },
  { code: '53.', class: null, source: 'RFC 4954: the sender has not shown who it is (530, 534, 535, 538)' },
  { code: '552', class: 'full', source: 'RFC 5321: exceeded storage allocation' },
  { code: '5.', class: 'refused', source: 'RFC 5321: permanent; the reporter calls it a bounce' },
];

/** What one family of hosts means by a code of its own: more specific than the table. */
export const HOST_CODES: readonly {
  readonly words: RegExp;
  readonly code: string;
  readonly class: BounceClass;
  readonly source: string;
}[] = [
  {
    words: /outlook|microsoft|office365|exchange|\.prod\./i,
    code: '5.4.1',
    class: 'user_unknown',
    source: 'Exchange Online: "550 5.4.1 Recipient address rejected: Access denied", directory-based edge blocking',
  },
];

const rowOf = (rows: readonly CodeRow[], code: string): CodeRow | undefined =>
  rows.find((row) => (row.code.endsWith('.') ? code.startsWith(row.code.slice(0, -1)) : code === row.code));

/** `x.0.0` has no detail. */
export const isVague = (enhanced: string): boolean => enhanced.endsWith('.0.0');

/** What codes alone say; `undefined`: nothing. `text`: where a host may be named. */
export function classOfCodes({ code, enhanced }: SmtpCodes, text = ''): BounceClass | undefined {
  const own = HOST_CODES.find((row) => row.code === enhanced && row.words.test(text));
  if (own !== undefined) return own.class;
  const byEnhanced = enhanced === null || isVague(enhanced) ? undefined : rowOf(ENHANCED, enhanced);
  if (byEnhanced !== undefined) return byEnhanced.class;
  // RFC 5321: 4xx is transient; a 5xx beside unknown words says nothing.
  return code?.startsWith('4') === true ? 'soft' : undefined;
}

/** Class of a report that is a code alone. */
export function classOfBareCodes(codes: SmtpCodes): BounceClass | undefined {
  const { code, enhanced } = codes;
  if (enhanced !== null && !isVague(enhanced) && !enhanced.startsWith('2')) {
    const known = classOfCodes(codes);
    // A subject of the sender, the message or a policy is about no mailbox.
    return known === undefined ? (/^5\.[567]\./.test(enhanced) ? null : 'refused') : known;
  }
  const basic = code ?? enhanced?.charAt(0).concat('00') ?? null;
  return basic === null ? undefined : (classOfCodes({ code: basic, enhanced: null }) ?? rowOf(BARE, basic)?.class);
}
