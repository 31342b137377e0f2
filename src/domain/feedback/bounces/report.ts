import PostalMime from 'postal-mime';
import type { Outcome } from '../../../contract/feedback.ts';
import { parseAddress } from '../../address/parse.ts';
import type { DeliveryClass } from '../../belief/facts.ts';
import { type SmtpCodes, classOfBareCodes, classOfCodes, extractSmtpCodes } from './codes.ts';
import { type BounceClass, WORD_ROWS } from './words.ts';

/**
 * What the recipient's server said, cut out of what was pasted or sent: the recipient's block of a delivery status (RFC 3464), else
 * the reply that a mail system quotes, else the text up to the message that came back.
 */
interface Refusal {
  readonly words: string;
  /** `Status` of the delivery status; null means there is none. */
  readonly status: string | null;
  /** `failed`, `delayed` … of the delivery status; null means there is none. */
  readonly action: string | null;
}

/** Where the message that came back, or what stands around it, begins. */
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

/** Whether an address, in its normal form, is that of the person whom the report is about. */
type IsRecipient = (normalised: string) => boolean;

/** The block of the person whom the report is about; where none names them, the first that failed, else the first. */
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

/** How mail systems introduce what the remote server said; what follows is the reply. */
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

/** Ends a quoted reply. */
const REPLY_END = /\(in reply to|\n[ \t]*\n|\(state \d|\n(?=<[^>\n]{1,200}>:)|\n(?=>>> )|\n--/i;

const isReply = (text: string): boolean => /^(?:smtp;\s*)?['"(#]*[245]\d\d[ \-#\n]/i.test(text);

/** SES and others put the server's reply into one of their own: `5.1.0 - Unknown address error 550-'5.7.1 …'`. */
const NESTED_REPLY = /[245]\d\d-'([^']{4,2000})'/;

/** A reply that stands by itself in a text: from its code on. */
const CODED = /(?:^|[\s:(['"#<])(?:[45]\d\d[ -][^\d\s]?|#?[45]\.\d\.\d{1,3}\b)/;

function codedReply(text: string): string | null {
  const at = CODED.exec(text)?.index;
  if (at === undefined) return null;
  const rest = text.slice(at, at + 2_000).trimStart();
  return rest.slice(0, REPLY_END.exec(rest)?.index ?? rest.length);
}

/** The refusal that a mail system quotes, a permanent one before a transient one; null means it quotes none. */
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

/** A text that is no longer than this is the reply alone. */
const ALONE_CHARS = 400;

const ANYBODY: IsRecipient = () => false;

/** @param text a reply, or a message without its MIME parts; `delivery`: its delivery status, where a message has one */
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
    // Comments may follow: `4.4.7 (delivery time expired)`. Only a code goes on: what else stands there is text.
    status: STATUS.exec(wordIn(block, 'status') ?? '')?.[0] ?? null,
    action: wordIn(block, 'action'),
  };
}

/** What is read from a bounce: the class alone goes on, with the codes. No text of it is kept. */
interface Reading {
  /** `undefined`: the text is inconclusive. */
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

/** A message begins with its header: fields alone, two at least, up to an empty line. */
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

/** The diagnosis stands before the message that came back; the limit bounds the parsing of made-up parts. */
const READ_CHARS = 32_000;

const STATUS_TYPES: ReadonlySet<string> = new Set(['message/delivery-status', 'message/global-delivery-status']);

/** Reads what was pasted or sent: a whole bounce message, its human part, or the reply alone. Never rejects. */
export async function readBounce(text: string, isRecipient?: IsRecipient): Promise<Reading> {
  const trimmed = text.slice(0, READ_CHARS).trimStart();
  if (!isMessage(trimmed)) return readReply(trimmed, isRecipient);
  try {
    const email = await PostalMime.parse(trimmed.replace(/^from [^\n]*\n/i, ''), { forceRfc822Attachments: true });
    const status = email.attachments.find(({ mimeType }) => STATUS_TYPES.has(mimeType))?.content;
    const delivery =
      status === undefined ? null : typeof status === 'string' ? status : new TextDecoder().decode(status);
    const human = [email.text, withoutTags(email.html ?? '')].find((part) => /\S{3}/.test(part ?? ''));
    // Without a part of its own to read, what stands behind the header is read as it is.
    return readRefusal(refusalOf(human ?? trimmed.slice(trimmed.search(/\r?\n\r?\n/) + 1), delivery, isRecipient));
  } catch {
    return readReply(trimmed);
  }
}

/** HTML as words. Accents count for nothing, so `&oacute;` is an `o`. */
const withoutTags = (html: string): string =>
  html
    .replaceAll(/<(style|script)\b[^<]{0,8000}<\/\1>/gi, ' ')
    .replaceAll(/<[^<>]{0,2000}>/g, ' ')
    .replaceAll(/&#(\d{2,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash);/gi, '$1')
    .replaceAll(/&(?:nbsp|quot|apos|lt|gt|amp);/gi, ' ');

/** What is kept of a report: its class (null if it is not about the mailbox) and the codes of its text. */
export interface ReadReport {
  readonly class: DeliveryClass | null;
  readonly codes: SmtpCodes | null;
  /** A bounce has a text, and it is inconclusive. */
  readonly isUnread: boolean;
  /** The server's words contradict the class that the mail service names. */
  readonly isOverruled: boolean;
}

/** A report without a text is the reporter's own word. */
const NO_TEXT: Reading = { class: 'refused', codes: null, isWorded: false };

/** What a report says about the mailbox; null means nothing of it is kept. */
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

/** Reads an account's own report. `text`: what the server said, as it was sent: a code, a reply or a whole message, which may be about several people. */
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
 * Reads a mail service's report. The server's words win; the service's own class stands beside a bare code, and fills
 * silence.
 * @param replies what the server said, the best first
 * @param named the service's own class; null means it is about no mailbox; undefined: it has none for this
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
