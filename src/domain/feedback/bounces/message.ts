import PostalMime from 'postal-mime';
import { type Reading, readRefusal, readReply } from './read.ts';
import { type IsRecipient, refusalOf } from './refusal.ts';

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
