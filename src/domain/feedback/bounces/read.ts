import { classOfBareCodes, classOfCodes, type SmtpCodes } from './codes.ts';
import { extractSmtpCodes } from './extract-codes.ts';
import { type IsRecipient, type Refusal, refusalOf } from './refusal.ts';
import { type BounceClass, WORD_ROWS } from './words.ts';

/** What is read from a bounce: the class alone goes on, with the codes. No text of it is kept. */
export interface Reading {
  /** `undefined`: the text says nothing sure. */
  readonly class: BounceClass | undefined;
  readonly codes: SmtpCodes | null;
  /** The server's words decided, not a code alone. */
  readonly isWorded: boolean;
}

/** Words as the table reads them, in lower case: addresses, links, host names, accents and case are no evidence. */
const WORDS_CHARS = 4_000;
export const plainWords = (text: string): string =>
  text
    .slice(0, WORDS_CHARS)
    .normalize('NFKD')
    // One character may become many.
    .slice(0, WORDS_CHARS)
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
    .replaceAll(/"[^"\n]{1,64}"@\S+|(?<![^\s<>()"',;:[\]])[^\s<>()"',;:[\]@]+@[^\s<>()"',;:[\]]+/g, ' address ')
    .replaceAll(/(?<![a-z0-9-])[a-z0-9-]+(?:\.[a-z0-9-]+)+\b/g, (name) =>
      /^[\d.]+$/.test(name) ? ' ' : /\.[a-z]{2,}$/.test(name) && !name.startsWith('resolver.') ? ' § ' : name,
    )
    .replaceAll(/\s*\n\s*(?:[245]\d\d[- ](?:[245]\.\d\.\d+)?)?/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** Codes about the sender's address (RFC 3463) or its authentication (RFC 4954), whatever the words. */
const SENDER_CODES: ReadonlySet<string> = new Set(['4.1.7', '4.1.8', '5.1.7', '5.1.8', '5.1.9']);

/** Codes without a word, as the reporter's own bounce handling has read them. */
const isBare = (words: string): boolean => !/\p{L}{2}/u.test(words.replaceAll(/smtp|address/g, ''));
/** A text of links alone says nothing. */
const hasOnlyLinks = (text: string, words: string): boolean => text.includes('://') && isBare(words);

function classOf(text: string, codes: SmtpCodes): Pick<Reading, 'class' | 'isWorded'> {
  const words = plainWords(text);
  if (SENDER_CODES.has(codes.enhanced ?? '') || /^53[0458]$/.test(codes.code ?? '') || hasOnlyLinks(text, words))
    return { class: null, isWorded: false };
  if (isBare(words)) return { class: classOfBareCodes(codes), isWorded: false };
  const row = WORD_ROWS.find((each) => each.words.test(words));
  if (row !== undefined && row.isWeak === undefined) return { class: row.class, isWorded: true };
  const byCodes = classOfCodes(codes, text);
  const isWorded = row !== undefined && (byCodes === undefined || byCodes === 'refused');
  return isWorded ? { class: row.class, isWorded } : { class: byCodes, isWorded: false };
}

/** Actions of RFC 3464 that are no failures. */
const NO_FAILURE: ReadonlySet<string> = new Set(['delivered', 'deliverable', 'relayed', 'expanded']);

/** Reads a refusal: words before codes, the recipient's own block before the rest. */
export function readRefusal({ words, status, action }: Refusal): Reading {
  const found = extractSmtpCodes(words);
  const codes = { code: found?.code ?? null, enhanced: found?.enhanced ?? status };
  const kept = codes.code === null && codes.enhanced === null ? null : codes;
  if (action !== null && NO_FAILURE.has(action)) return { class: null, codes: kept, isWorded: true };
  const { class: read, isWorded } = classOf(words, codes);
  // A transient failure is never evidence for good.
  const isForNow = action === 'delayed' || (codes.enhanced ?? codes.code)?.startsWith('4') === true;
  const passing = isForNow && (read === 'user_unknown' || read === 'refused');
  return { class: passing ? 'soft' : read, codes: kept, isWorded };
}

/** Reads a reply, or any text that is no whole message. */
export const readReply = (text: string, isRecipient?: IsRecipient): Reading =>
  readRefusal(refusalOf(text, null, isRecipient));
