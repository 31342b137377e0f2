import { extractSmtpCodes } from '../smtp-codes.ts';
import { classOfBareCodes, classOfCodes, type SmtpCodes } from './codes.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { type BounceClass, WORD_ROWS } from './words.ts';

/** What is read from a bounce: the class alone goes on, with the codes. No text of it is kept. */
export interface Reading {
  /** `undefined`: the text says nothing sure. */
  readonly class: BounceClass | undefined;
  readonly codes: SmtpCodes | null;
  /** The server's words decided, not a code alone. */
  readonly isWorded: boolean;
}

/** Words as the table reads them: neither addresses, links, host names and numbers nor case and accents are evidence. */
export const plainWords = (text: string): string =>
  text
    .slice(0, 4_000)
    .normalize('NFKD')
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll("can't", 'cannot')
    .replaceAll(/n't\b/g, ' not')
    .replaceAll('_', ' ')
    // What a relay adds to the server's reply.
    .replaceAll(/\(delivery attempts: \d+\)|giving up on [\d.]+/g, ' ')
    .replaceAll(/(?:https?:\/\/|www\.)[^\s<>"')\]]+/g, ' ')
    .replaceAll(/"[^"\n]{1,64}"@\S+|[^\s<>()"',;:[\]]+@[^\s<>()"',;:[\]]+/g, ' address ')
    .replaceAll(/\b[a-z0-9-]+(?:\.[a-z0-9-]+)+\b/g, (name) =>
      /^[\d.]+$/.test(name) ? ' ' : /\.[a-z]{2,}$/.test(name) && !name.startsWith('resolver.') ? ' host ' : name,
    )
    .replaceAll(/\s*\n\s*(?:[245]\d\d[- ](?:[245]\.\d\.\d+)?)?/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** RFC 3463: the sender's address, whatever the words. */
const OF_SENDER: ReadonlySet<string> = new Set(['5.1.7', '5.1.8', '5.1.9']);

/** A text of links alone says nothing; a code alone says what the code says. */
const hasOnlyLinks = (text: string, words: string): boolean =>
  /:\/\//.test(text) && !/\p{L}{2}/u.test(words.replace('smtp', ''));

/** Codes that came without a word: the reporter's own bounce handling has read them. */
const isBare = (words: string): boolean => !/\p{L}{2}/u.test(words.replace('smtp', ''));

function classOf(text: string, codes: SmtpCodes): Pick<Reading, 'class' | 'isWorded'> {
  const words = plainWords(text);
  if (OF_SENDER.has(codes.enhanced ?? '') || hasOnlyLinks(text, words)) return { class: null, isWorded: false };
  if (isBare(words)) return { class: classOfBareCodes(codes), isWorded: false };
  const row = WORD_ROWS.find((each) => each.words.test(words));
  if (row !== undefined && row.isWeak === undefined) return { class: row.class, isWorded: true };
  const byCodes = classOfCodes(codes, text);
  const isWorded = row !== undefined && (byCodes === undefined || byCodes === 'refused');
  return isWorded ? { class: row.class, isWorded } : { class: byCodes, isWorded: false };
}

/** What a delivery status says without a failure: nothing but that a message waits. */
const NO_FAILURE: ReadonlySet<string> = new Set(['delivered', 'deliverable', 'relayed', 'expanded']);

/** Reads a refusal: words before codes, the recipient's own block before the rest. */
export function readRefusal({ words, status, action }: Refusal): Reading {
  const said = extractSmtpCodes(words);
  const codes = { code: said?.code ?? null, enhanced: said?.enhanced ?? status };
  const kept = codes.code === null && codes.enhanced === null ? null : codes;
  if (action !== null && NO_FAILURE.has(action)) return { class: null, codes: kept, isWorded: true };
  const { class: found, isWorded } = classOf(words, codes);
  // A transient code, or a message that still waits, tells of no mailbox for good.
  const isForNow = action === 'delayed' || (codes.enhanced ?? codes.code)?.startsWith('4') === true;
  const passing = isForNow && (found === 'user_unknown' || found === 'refused');
  return { class: passing ? 'soft' : found, codes: kept, isWorded };
}

/** Reads a reply, or any text that is no whole message. */
export const readReply = (text: string): Reading => readRefusal(refusalOf(text));
