import type { Outcome } from '../../../contract/feedback.ts';
import { extractSmtpCodes } from '../smtp-codes.ts';
import { classOfCodes, type SmtpCodes } from './codes.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { type BounceClass, WORD_ROWS } from './words.ts';

/** What is read from a bounce: the class alone goes on, with the codes. No text of it is kept. */
export interface Reading {
  /** `undefined`: the text says nothing sure. */
  readonly class: BounceClass | undefined;
  readonly codes: SmtpCodes | null;
}

/** Words as the table reads them: neither addresses, links, host names and numbers nor case and accents are evidence. */
const plainWords = (text: string): string =>
  text
    .slice(0, 4_000)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/(?:https?:\/\/|www\.)[^\s<>"')\]]+/g, ' ')
    .replaceAll(/"[^"\n]{1,64}"@\S+|[^\s<>()"',;:[\]]+@[^\s<>()"',;:[\]]+/g, ' address ')
    .replaceAll(/\b[a-z0-9-]+(?:\.[a-z0-9-]+)+\b/g, (name) => (/^[\d.]+$/.test(name) ? ' ' : /\.[a-z]{2,}$/.test(name) && !name.startsWith('resolver.') ? ' host ' : name))
    .replaceAll(/\s*\n\s*(?:[245]\d\d[- ](?:[245]\.\d\.\d+)?)?/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** RFC 3463: the sender's address, whatever the words. */
const OF_SENDER: ReadonlySet<string> = new Set(['5.1.7', '5.1.8', '5.1.9']);

/** A text of links alone says nothing; a code alone says what the code says. */
const hasOnlyLinks = (text: string, words: string): boolean => /:\/\//.test(text) && !/[^\W\d_]{3}/u.test(words.replace('smtp', ''));

function classOf(text: string, codes: SmtpCodes): BounceClass | undefined {
  const words = plainWords(text);
  if (OF_SENDER.has(codes.enhanced ?? '') || hasOnlyLinks(text, words)) return null;
  const row = WORD_ROWS.find((each) => each.words.test(words));
  if (row !== undefined && row.isWeak === undefined) return row.class;
  const byCodes = classOfCodes(codes, text);
  return byCodes === undefined || (row !== undefined && byCodes === 'refused') ? row?.class : byCodes;
}

/** What a delivery status says without a failure: nothing but that a message waits. */
const NO_FAILURE: ReadonlySet<string> = new Set(['delivered', 'deliverable', 'relayed', 'expanded']);

/** Reads a refusal: words before codes, the recipient's own block before the rest. */
export function readRefusal({ words, status, action }: Refusal): Reading {
  const said = extractSmtpCodes(words);
  const codes = { code: said?.code ?? null, enhanced: said?.enhanced ?? status };
  const kept = codes.code === null && codes.enhanced === null ? null : codes;
  if (action !== null && NO_FAILURE.has(action)) return { class: null, codes: kept };
  const found = classOf(words, codes);
  // A message that still waits tells of no mailbox for good.
  const passing = action === 'delayed' && (found === undefined || found === 'user_unknown' || found === 'refused');
  return { class: passing ? 'soft' : found, codes: kept };
}

/** Reads a reply, or any text that is no whole message. */
export const readReply = (text: string): Reading => readRefusal(refusalOf(text));
