import PostalMime from 'postal-mime';
import { type Reading, readRefusal, readReply } from './read.ts';
import { refusalOf } from './refusal.ts';

/** A message begins with its header: a field on the first line, and one that only messages have. */
const BEGINS = /^(?:from [^\n]*\n)?[a-z][a-z0-9-]{1,40}:/i;
const HEADER =
  /^(?:received|return-path|content-type|mime-version|message-id|x-failed-recipients|auto-submitted|x-original-to|delivered-to|subject|date):/im;
const HEAD_CHARS = 8_000;

const isMessage = (text: string): boolean => BEGINS.test(text) && HEADER.test(text.slice(0, HEAD_CHARS));

const STATUS_TYPES: ReadonlySet<string> = new Set(['message/delivery-status', 'message/global-delivery-status']);

/** Reads what was pasted or sent: a whole bounce message, its human part, or the reply alone. Never rejects. */
export async function readBounce(text: string): Promise<Reading> {
  const trimmed = text.trimStart();
  if (!isMessage(trimmed)) return readReply(trimmed);
  try {
    const email = await PostalMime.parse(trimmed.replace(/^from [^\n]*\n/i, ''), { forceRfc822Attachments: true });
    const status = email.attachments.find(({ mimeType }) => STATUS_TYPES.has(mimeType))?.content;
    const delivery =
      status === undefined ? null : typeof status === 'string' ? status : new TextDecoder().decode(status);
    const human = [email.text, withoutTags(email.html ?? '')].find((part) => /\S{3}/.test(part ?? ''));
    // Without a part of its own to read, what stands behind the header is read as it is.
    return readRefusal(refusalOf(human ?? trimmed.slice(trimmed.search(/\r?\n\r?\n/) + 1), delivery));
  } catch {
    return readReply(trimmed);
  }
}

const withoutTags = (html: string): string => html.replaceAll(/<[^<>]{0,2000}>/g, ' ').replaceAll('&nbsp;', ' ');
