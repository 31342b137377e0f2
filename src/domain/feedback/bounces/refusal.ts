import { parseAddress } from '../../address/parse.ts';

/**
 * What the recipient's server said, cut out of what was pasted or sent: the recipient's block of a delivery status (RFC 3464), else
 * the reply that a mail system quotes, else the text up to the message that came back.
 */
export interface Refusal {
  readonly words: string;
  /** `Status` of the delivery status; null: there is none. */
  readonly status: string | null;
  /** `failed`, `delayed` … of the delivery status; null: there is none. */
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
export type IsRecipient = (normalised: string) => boolean;

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

/** The refusal that a mail system quotes, a permanent one before a transient one; null: it quotes none. */
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
export function refusalOf(text: string, delivery: string | null = null, isRecipient = ANYBODY): Refusal {
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
