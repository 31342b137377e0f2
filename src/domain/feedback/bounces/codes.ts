import ROWS from './rows.json' with { type: 'json' };
import type { BounceClass } from './words.ts';

/** Codes of a bounce message: basic reply code (RFC 5321), `550`, and enhanced status code (RFC 3463), `5.1.1`. */
export interface SmtpCodes {
  readonly code: string | null;
  readonly enhanced: string | null;
}

/** `code`: a prefix if it ends with a dot, else a whole code. */
interface CodeRow {
  readonly code: string;
  readonly class: BounceClass;
  readonly source: string;
}

/** Classes by enhanced code, used if no words match. The first row decides; a code without a row has no class. */
const ENHANCED = ROWS.enhanced as readonly CodeRow[];

/** A bare code, as a reporter's own bounce handling extracts it. Other permanent codes refuse. */
const BARE = ROWS.bare as readonly CodeRow[];

/** Meanings that a family of hosts gives to its own codes, which beat the table. */
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

const isVague = (enhanced: string): boolean => enhanced.endsWith('.0.0');

/** The class by codes alone, or undefined. `text`: may name a host. */
export function classOfCodes({ code, enhanced }: SmtpCodes, text = ''): BounceClass | undefined {
  const own = HOST_CODES.find((row) => row.code === enhanced && row.words.test(text));
  if (own !== undefined) return own.class;
  const byEnhanced = enhanced === null || isVague(enhanced) ? undefined : rowOf(ENHANCED, enhanced);
  if (byEnhanced !== undefined) return byEnhanced.class;
  // RFC 5321: 4xx is transient; a 5xx beside unknown words has no class.
  return code?.startsWith('4') === true ? 'soft' : undefined;
}

/** The class of a report that is only a code. */
export function classOfBareCodes(codes: SmtpCodes): BounceClass | undefined {
  const { code, enhanced } = codes;
  if (enhanced !== null && !isVague(enhanced) && !enhanced.startsWith('2')) {
    const known = classOfCodes(codes);
    // Codes about the sender, the message or a policy concern no mailbox.
    return known === undefined ? (/^5\.[567]\./.test(enhanced) ? null : 'refused') : known;
  }
  const basic = code ?? enhanced?.charAt(0).concat('00') ?? null;
  return basic === null ? undefined : (classOfCodes({ code: basic, enhanced: null }) ?? rowOf(BARE, basic)?.class);
}

/** A place in a text that names a failure. The lower the rank, the closer to the refusing server. */
interface CodeMatch extends SmtpCodes {
  readonly rank: number;
}

/** `550 5.1.1`, anywhere. */
const REPLY = 0;
/** `550` or `5.1.1` alone in a context of codes; or the vague `5.0.0`. */
const LONE = 1;

/**
 * The codes of a text, which may be a whole bounce message; null without any. Permanent beats transient, which beats
 * success; then both codes beat one; then the first. A missing code is taken from the next best place of the same
 * class. Numbers that only look like codes (addresses, hosts, times, ids, sizes, telephones, streets) don't count.
 * Linear in the text's length.
 */
export function extractSmtpCodes(text: string): SmtpCodes | null {
  const bare = CODES_ALONE.exec(text.slice(0, 64).trim())?.groups;
  if (bare && text.trim().length <= 40 && (bare.code ?? bare.enhanced) !== undefined)
    return { code: bare.code ?? null, enhanced: bare.enhanced ?? null };

  const matches = readLines(text).toSorted((a, b) => severity(a) - severity(b) || a.rank - b.rank);
  const [chosen] = matches;
  if (chosen === undefined) return null;
  const alike = matches.filter((match) => classOf(match) === classOf(chosen) && agrees(match, chosen));
  const enhanced = alike.flatMap((match) => match.enhanced ?? []);
  return {
    code: chosen.code ?? alike.find(({ code }) => code !== null)?.code ?? null,
    enhanced: chosen.enhanced ?? enhanced.find((each) => !isVague(each)) ?? enhanced[0] ?? null,
  };
}

/** Only codes, as a caller's own bounce handling extracts them. */
const CODES_ALONE =
  /^\W{0,4}(?:smtp\W{0,4})?(?<code>[245]\d\d)?(?:(?:^|\W{1,4})(?<enhanced>[245]\.\d{1,3}\.\d{1,3}))?\W{0,4}$/i;

const severity = (codes: SmtpCodes): number => '542'.indexOf(classOf(codes));
const classOf = ({ code, enhanced }: SmtpCodes): string => (code ?? enhanced ?? '').charAt(0);
const gaps = ({ code, enhanced }: SmtpCodes): number => Number(code === null) + Number(enhanced === null);
/** Whether two matches may belong to one reply: different codes are different replies. */
const agrees = (a: SmtpCodes, b: SmtpCodes): boolean =>
  (a.code === null || b.code === null || a.code === b.code) &&
  (a.enhanced === null ||
    b.enhanced === null ||
    a.enhanced === b.enhanced ||
    isVague(a.enhanced) ||
    isVague(b.enhanced));

function readLines(text: string): CodeMatch[] {
  // Quoted-printable (RFC 2045) breaks lines anywhere: `55=`, `0 5.2.2`.
  const lines = text.replace(/([^=\s])=\r?\n/g, '$1').split(/\r\n|\r|\n/);
  return lines.flatMap((line) => (/[245](?:\d\d|\.\d)/.test(line) ? readLine(withoutAddresses(line)) : []));
}

/** Digits in addresses and URLs are not codes. Quoted local parts (RFC 5321) may contain spaces. */
const QUOTED_ADDRESS = /"[^"]{1,64}"@[^\s<>]*/g;
const WORD = /[^\s<>()[\]",;]+/g;
const withoutAddresses = (line: string): string =>
  /@|:\/\//.test(line)
    ? line
        .replace(QUOTED_ADDRESS, 'address')
        .replace(WORD, (word) => (word.length > 1 && /@|:\/\//.test(word) ? 'address' : word))
    : line;

/** Letters, digits and inner dots: `192.0.2.550`, `4F550` and `5.1.2024` are one run each and no code. */
interface Run {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}
const RUN = /\w(?:[\w.]*\w)?/g;
const runsOf = (line: string): Run[] =>
  Array.from(line.matchAll(RUN), ({ 0: text, index }) => ({ text, start: index, end: index + text.length }));

const isBasic = (run: Run | undefined): run is Run => run !== undefined && /^[245]\d\d$/.test(run.text);
/** RFC 3463 defines subjects 0 to 7. */
const isEnhanced = (run: Run | undefined): run is Run => run !== undefined && /^[245]\.[0-7]\.\d{1,3}$/.test(run.text);

function readLine(line: string): CodeMatch[] {
  const runs = runsOf(line);
  const matches: CodeMatch[] = [];
  const place = { line, runs };
  for (let i = 0; i < runs.length; i += 1) {
    const run = runs[i];
    if (!isBasic(run) && !isEnhanced(run)) continue;
    if (isPartOfMore(place, i)) continue;
    const partner = isBasic(run) ? partnerOf(place, i) : null;
    if (partner !== null) {
      matches.push({ code: run.text, enhanced: runs[partner]?.text ?? null, rank: REPLY });
      i = partner;
    } else if (isBasic(run) && isLoneReply(place, i)) {
      matches.push({ code: run.text, enhanced: null, rank: LONE });
    } else if (isEnhanced(run) && isLed(place, i)) {
      matches.push({ code: null, enhanced: run.text, rank: LONE });
    }
  }
  // Amazon SES puts its own code before the server's: "smtp; 5.1.0 - Unknown address error 550-'5.7.1 …".
  return matches.toSorted((a, b) => gaps(a) - gaps(b));
}

interface Place {
  readonly line: string;
  readonly runs: readonly Run[];
}
const gapBefore = ({ line, runs }: Place, i: number): string => line.slice(runs[i - 1]?.end ?? 0, runs[i]?.start);
const gapAfter = ({ line, runs }: Place, i: number): string => line.slice(runs[i]?.end, runs[i + 1]?.start);

/** A path, a sum, a host's port, a telephone number, a hyphenated id. */
function isPartOfMore(place: Place, i: number): boolean {
  const [before, after] = [gapBefore(place, i), gapAfter(place, i)];
  if (/[@+/$%*~\\.&<-]$/.test(before) || /^(?:[@+/%*\\]|:\S|\s{0,2}@)/.test(after)) return true;
  if (/[:=]$/.test(before) && !isKeyword(place.runs[i - 1])) return true;
  // Gmail repeats the code: "was: 550 550 5.1.1 user unknown".
  const isNumber = (run: Run | undefined): boolean =>
    run !== undefined && /^\d+$/.test(run.text) && run.text !== place.runs[i]?.text;
  if (isNumber(place.runs[i - 1]) && /^[\s()-]{1,3}$/.test(before)) return true;
  const next = place.runs[i + 1];
  return isNumber(next) && (next?.text.length ?? 0) > 2 && /^[\s()-]{1,3}$/.test(after);
}

/** The enhanced code after a basic one: `550 5.1.1`, `550-5.1.1`, `550 #5.1.1`, Python's `(550, b'5.1.1 …')`. */
function partnerOf(place: Place, i: number): number | null {
  const { runs } = place;
  if (!/^[\s#,;:([{'"-]{1,4}$/.test(gapAfter(place, i))) return null;
  const at = runs[i + 1]?.text === 'b' && /^['"]$/.test(gapAfter(place, i + 1)) ? i + 2 : i + 1;
  return isEnhanced(runs[at]) && !/^(?:[@/+]|\s{0,2}@)/.test(gapAfter(place, at)) ? at : null;
}

/** A number after these is a code. */
const KEYWORDS =
  /^(?:error|code|status|e?smtp|lmtp|dsn|reply|response|responded|returned|said|result|diagnostic|diagnosticcode|smtp_?code|status_?code|error_?code|enhanced_?code|enhanced_?status)$/i;
/** A number after these is not a code, whatever is between. */
const OTHER_NUMBERS =
  /^(?:port|size|length|lines|date|sent|on|datum|tel|phone|fax|id|version|release|line|page|room)$/i;
/** A number directly before these is a count: `450 bytes`, but not `421 Too many messages`. */
const COUNTED = /^(?:bytes?|octets|[km]b|messages|lines|recipients|seconds|minutes|hours|days|ms)$/i;
/** `550 Madison Avenue`. */
const STREETS = /^(?:street|st|avenue|ave|road|rd|boulevard|blvd|drive|lane|suite|floor|way)$/i;

const isKeyword = (run: Run | undefined): boolean => run !== undefined && KEYWORDS.test(run.text);

/** Whether the text before marks a number as a code: a word for codes, a colon, bracket, quote or line start. */
function isLed(place: Place, i: number): boolean {
  const before = gapBefore(place, i);
  const previous = place.runs[i - 1];
  if (previous === undefined) return /^[\s>|"'([{#*<.-]{0,16}$/.test(before);
  if (isKeyword(previous)) return before.length <= 6;
  return !OTHER_NUMBERS.test(previous.text) && /[:;#([{'"=>|]\s{0,4}$/.test(before);
}

/** RFC 5321 §4.2: second digit 0 to 5, then a text that is neither a count nor a street. */
function isLoneReply(place: Place, i: number): boolean {
  const { runs } = place;
  if (!/^.[0-5]/.test(runs[i]?.text ?? '') || !isLed(place, i)) return false;
  if (isKeyword(runs[i - 1])) return true;
  const after = gapAfter(place, i);
  const isText = /^[\s:,-]/.test(after) && after.length <= 8 && /^[a-z]/i.test(runs[i + 1]?.text ?? '');
  if (!isText || COUNTED.test(runs[i + 1]?.text ?? '')) return false;
  return !runs.slice(i + 1, i + 4).some(({ text }) => STREETS.test(text));
}
