import PostalMime from 'postal-mime';
import type { Outcome } from '../../../contract/feedback.ts';
import { parseAddress } from '../../address/parse.ts';
import type { DeliveryClass } from '../../belief/facts.ts';
import { type SmtpCodes, classOfBareCodes, classOfCodes, extractSmtpCodes } from './codes.ts';
import { type BounceClass, WORD_ROWS } from './words.ts';

/**
 * The recipient server's words: the recipient's block of a delivery status (RFC 3464), else a quoted reply, else the
 * text before the returned message.
 */
interface Refusal {
  readonly words: string;
  readonly status: string | null;
  /** `failed`, `delayed` … of the delivery status, or null. */
  readonly action: string | null;
}

/** The start of the returned message or its surroundings. */
const QUOTED =
  /\n(?:[-=_*> ]{0,20}(?:original message (?:follows|header|info|body)|original (?:message|mail) ?(?:info)?:?[ -]*\n|included is (?:a|the)|the attachment contains|the original message (?:was received|follows)|unsent message|message text follows|the body of the message|copy of the (?:original|message))|[-=_*> ]{2,20}(?:this is a copy|below this line|original message|forwarded message|message header|the header|returned message|included is|headers of|begin message|undelivered message|copy of)|message headers follow|content-type: message\/rfc822|[-]{2,}.{0,30}copy of (?:your|the) message|the original message (?:headers|follows?)|original message headers|reporting-mta:|-- ?\n|below is a copy of|urspr.{1,2}ngliche nachrichtenkopf|(?:this (?:e-?mail|message) (?:and any|is confidential|contains confidential)|confidentiality notice|disclaimer:)|return-path:|received: (?:from|by))/i;

/** A field of the delivery status with its continuation lines. */
function fieldOf(block: string, name: string): string | null {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => line.toLowerCase().startsWith(`${name}:`));
  if (at === -1) return null;
  const value = [(lines[at] ?? '').slice(name.length + 1)];
  for (let next = at + 1; /^[ \t]/.test(lines[next] ?? ''); next += 1) value.push(lines[next] ?? '');
  return value.map((line) => line.trim()).join(' ');
}

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/;

const wordIn = (block: string | null, name: string): string | null =>
  (block === null ? null : fieldOf(block, name))?.toLowerCase().split(/[\s(]/, 1)[0] ?? null;

/** Whether a normalised address is the reported person's. */
type IsRecipient = (normalised: string) => boolean;

/** The reported person's block; if none names them, the first that failed, else the first. */
function recipientBlock(text: string, isRecipient: IsRecipient): string | null {
  const blocks = text.split(/\n[ \t]*\n/).filter((block) => /^(?:final|original)-recipient:/im.test(block));
  const names = (block: string): boolean =>
    ['final-recipient', 'original-recipient'].some((name) => {
      const parsed = parseAddress((fieldOf(block, name) ?? '').replace(/^[^;]*;\s*/, '').replace(/^<|>$/g, ''));
      return parsed.ok && isRecipient(parsed.address.normalised);
    });
  const own = blocks.length > 1 ? blocks.find(names) : undefined;
  return own ?? blocks.find((block) => /^action:\s*failed/im.test(block)) ?? blocks[0] ?? null;
}

/** How mail systems introduce the remote server's reply. */
const INTRODUCED: readonly { readonly words: RegExp; readonly source: string }[] = [
  { words: /\bsaid:\s*/gi, source: 'Postfix, qmail' },
  { words: /^<<< /gm, source: 'sendmail' },
  {
    words:
      /\bafter (?:end of data|rcpt to|mail from|data|initial connection)[^\n]{0,200}:\s*(?:\n\s*)?(?:host [^\n:]{0,120}:\s*)?/gi,
    source: 'Exim',
  },
  {
    words:
      /\b(?:the response was|response from the remote server(?: was)?|remote server returned|the error that the other server returned was|returned|reason):?\s*['"]?\s*/gi,
    source: 'Gmail, Exchange',
  },
];

const REPLY_END = /\(in reply to|\n[ \t]*\n|\(state \d|\n(?=<[^>\n]{1,200}>:)|\n(?=>>> )|\n--/i;

const isReply = (text: string): boolean => /^(?:smtp;\s*)?['"(#]*[245]\d\d[ \-#\n]/i.test(text);

/** SES and others nest the server's reply in their own: `5.1.0 - Unknown address error 550-'5.7.1 …'`. */
const NESTED_REPLY = /[245]\d\d-'([^']{4,2000})'/;

/** A reply by itself in a text: from its code on. */
const CODED = /(?:^|[\s:(['"#<])(?:[45]\d\d[ -][^\d\s]?|#?[45]\.\d\.\d{1,3}\b)/;

function codedReply(text: string): string | null {
  const at = CODED.exec(text)?.index;
  if (at === undefined) return null;
  const rest = text.slice(at, at + 2_000).trimStart();
  return rest.slice(0, REPLY_END.exec(rest)?.index ?? rest.length);
}

/** The quoted refusal, a permanent one before a transient one; null if none is quoted. */
function quotedReply(text: string): string | null {
  const replies = [...repliesIn(text)];
  return replies.find((reply) => /^\D{0,8}5/.test(reply)) ?? replies[0] ?? null;
}

function* repliesIn(text: string): Generator<string> {
  for (const { words } of INTRODUCED)
    for (const { 0: found, index } of text.matchAll(words)) {
      const rest = text.slice(index + found.length, index + found.length + 2_000);
      if (!isReply(rest) || /^['"(#]*(?:2\d\d|503|50[0-4] 5\.5)/.test(rest)) continue;
      yield rest.slice(0, REPLY_END.exec(rest)?.index ?? rest.length);
    }
}

/** A text up to this length is the reply alone. */
const ALONE_CHARS = 400;

const ANYBODY: IsRecipient = () => false;

/** @param text a reply, or a message without its MIME parts; `delivery`: its delivery status, if it has one */
function refusalOf(text: string, delivery: string | null = null, isRecipient = ANYBODY): Refusal {
  const plain = text.replaceAll('\r\n', '\n');
  const block = recipientBlock((delivery ?? plain).replaceAll('\r\n', '\n'), isRecipient);
  const human = plain.slice(0, QUOTED.exec(plain)?.index ?? plain.length);
  const diagnostic =
    block === null ? null : (fieldOf(block, 'diagnostic-code') ?? fieldOf(block, 'x-supplementary-info'));
  const said = diagnostic?.replace(/^[\w-]{1,20};\s*/, '') ?? '';
  // A mail system's own diagnostic quotes the server's reply too. A bare code says less than the human part.
  const reply =
    quotedReply(said) ??
    (/[a-z]{3}/i.test(said) ? said : null) ??
    quotedReply(human) ??
    (human.length > ALONE_CHARS ? codedReply(human) : null) ??
    // A delivery status pasted alone has no human part.
    (block !== null && delivery === null ? '' : human);
  return {
    words: NESTED_REPLY.exec(reply)?.[1] ?? reply,
    // Comments may follow: `4.4.7 (delivery time expired)`. Only the code is passed on.
    status: STATUS.exec(wordIn(block, 'status') ?? '')?.[0] ?? null,
    action: wordIn(block, 'action'),
  };
}

/** The class and codes of a bounce. None of its text is stored. */
interface Reading {
  /** `undefined`: the text is inconclusive. */
  readonly class: BounceClass | undefined;
  readonly codes: SmtpCodes | null;
  /** The server's words decided, not a code alone. */
  readonly isWorded: boolean;
}

/** Normalised words for the table: addresses, links, host names, accents and case are no evidence. */
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

/** Codes without words, as a reporter's own bounce handling extracts them. */
const isBare = (words: string): boolean => !/\p{L}{2}/u.test(words.replaceAll(/smtp|address/g, ''));
/** A text of links alone is inconclusive. */
const hasOnlyLinks = (text: string, words: string): boolean => text.includes('://') && isBare(words);

function classOfText(text: string, codes: SmtpCodes): Pick<Reading, 'class' | 'isWorded'> {
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
function readRefusal({ words, status, action }: Refusal): Reading {
  const found = extractSmtpCodes(words);
  const codes = { code: found?.code ?? null, enhanced: found?.enhanced ?? status };
  const kept = codes.code === null && codes.enhanced === null ? null : codes;
  if (action !== null && NO_FAILURE.has(action)) return { class: null, codes: kept, isWorded: true };
  const { class: read, isWorded } = classOfText(words, codes);
  // A transient failure is never evidence for good.
  const isForNow = action === 'delayed' || (codes.enhanced ?? codes.code)?.startsWith('4') === true;
  const passing = isForNow && (read === 'user_unknown' || read === 'refused');
  return { class: passing ? 'soft' : read, codes: kept, isWorded };
}

/** Reads a reply, or any text that is no whole message. */
export const readReply = (text: string, isRecipient?: IsRecipient): Reading =>
  readRefusal(refusalOf(text, null, isRecipient));

/** A message starts with its header: two fields or more, then an empty line. */
const FIELD = /^[a-z][a-z0-9-]{1,40}:/i;
const HEADER_LINES = 400;
/** Fields of a delivery status (RFC 3464), which may be pasted alone. */
const DSN_FIELD = /^(?:reporting-mta|(?:final|original)-recipient|action|status|diagnostic-code|remote-mta):/i;

function isMessage(text: string): boolean {
  const lines = text.split(/\r?\n/, HEADER_LINES);
  const [first = ''] = lines;
  const header = lines.slice(first.startsWith('From ') ? 1 : 0, lines.indexOf(''));
  const fields = header.filter((line) => !/^[ \t]/.test(line));
  return fields.length > 1 && fields.every((line) => FIELD.test(line)) && !fields.some((line) => DSN_FIELD.test(line));
}

/** The diagnosis precedes the returned message; the limit bounds the parsing of hostile input. */
const READ_CHARS = 32_000;

const STATUS_TYPES: ReadonlySet<string> = new Set(['message/delivery-status', 'message/global-delivery-status']);

/** Reads a whole bounce message, its human part, or the reply alone. Never rejects. */
export async function readBounce(text: string, isRecipient?: IsRecipient): Promise<Reading> {
  const trimmed = text.slice(0, READ_CHARS).trimStart();
  if (!isMessage(trimmed)) return readReply(trimmed, isRecipient);
  try {
    const email = await PostalMime.parse(trimmed.replace(/^from [^\n]*\n/i, ''), { forceRfc822Attachments: true });
    const status = email.attachments.find(({ mimeType }) => STATUS_TYPES.has(mimeType))?.content;
    const delivery =
      status === undefined ? null : typeof status === 'string' ? status : new TextDecoder().decode(status);
    const human = [email.text, withoutTags(email.html ?? '')].find((part) => /\S{3}/.test(part ?? ''));
    // Without a readable part, the text after the header is read as it is.
    return readRefusal(refusalOf(human ?? trimmed.slice(trimmed.search(/\r?\n\r?\n/) + 1), delivery, isRecipient));
  } catch {
    return readReply(trimmed);
  }
}

/** HTML as words. Accents don't count, so `&oacute;` is an `o`. */
const withoutTags = (html: string): string =>
  html
    .replaceAll(/<(style|script)\b[^<]{0,8000}<\/\1>/gi, ' ')
    .replaceAll(/<[^<>]{0,2000}>/g, ' ')
    .replaceAll(/&#(\d{2,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash);/gi, '$1')
    .replaceAll(/&(?:nbsp|quot|apos|lt|gt|amp);/gi, ' ');

/** What is stored of a report: its class (null if it is not about the mailbox) and codes. */
export interface ReadReport {
  readonly class: DeliveryClass | null;
  readonly codes: SmtpCodes | null;
  /** A bounce has an inconclusive text. */
  readonly isUnread: boolean;
  /** The server's words contradict the mail service's class. */
  readonly isOverruled: boolean;
}

/** A report without a text is the reporter's own word. */
const NO_TEXT: Reading = { class: 'refused', codes: null, isWorded: false };

/** A report's class for the mailbox; null means nothing of it is stored. */
function classOf(outcome: Outcome, { class: said = null }: Reading): DeliveryClass | null {
  switch (outcome) {
    case 'delivered':
    case 'complaint':
      return outcome;
    case 'hard_bounce':
      return said;
    case 'soft_bounce':
      // A reporter that calls a refusal soft expects it to pass.
      return said === null || said === 'full' ? said : 'soft';
    case 'unknown':
      return null;
  }
}

/** Reads an account's own report. `text`: a code, a reply or a whole message, which may be about several people. */
export async function readReport(outcome: Outcome, text = '', isRecipient?: IsRecipient): Promise<ReadReport> {
  const reading = text.trim() === '' ? NO_TEXT : await readBounce(text, isRecipient);
  return { ...readingOf(outcome, reading), isOverruled: false };
}

const readingOf = (outcome: Outcome, reading: Reading): Omit<ReadReport, 'isOverruled'> => ({
  class: classOf(outcome, reading),
  codes: reading.codes,
  isUnread: outcome.endsWith('bounce') && reading.class === undefined,
});

/**
 * Reads a mail service's report. The server's words win; the service's own class supplements a bare code, and fills
 * silence.
 * @param replies the server's words, best first
 * @param named the service's class; null: about no mailbox; undefined: none for this
 */
export function readServiceReport(
  outcome: Outcome,
  replies: readonly string[],
  named: DeliveryClass | null | undefined,
): ReadReport {
  const readings = replies.filter((text) => text.trim() !== '').map((text) => readReply(text));
  const codes = readings.find((each) => each.codes !== null)?.codes ?? null;
  const worded = readings.find(({ isWorded }) => isWorded);
  if (worded !== undefined) {
    const read = readingOf(outcome, { ...worded, codes });
    return { ...read, isOverruled: named !== undefined && read.class !== named };
  }
  if (named !== undefined) return { class: named, codes, isUnread: false, isOverruled: false };
  const coded = readings.find((each) => each.class !== undefined);
  return { ...readingOf(outcome, { ...(coded ?? NO_TEXT), codes }), isOverruled: false };
}
