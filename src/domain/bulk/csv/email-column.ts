import { parseAddress } from '../../address/parse.ts';
import { bare } from './dialect.ts';

/** The caller's column: a header's text, a zero-based index, or none. */
export type ColumnHint = string | number | null;

/** `other`: a nearly as likely column, if the caller named none. */
export interface FoundColumns {
  readonly column: number | null;
  readonly other: number | null;
}

type Row = readonly string[];

/** Rows enough to find the column. */
export const ROWS_JUDGED = 500;

/** Matches the words between other words; Chinese and Japanese have no spaces, so those match anywhere. */
const words = (spaced: string, unspaced: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${spaced})(?![\p{L}\p{N}])|${unspaced}`, 'u');

/** Titles of a column that contains addresses and nothing else. */
const TITLE =
  /^(?:(?:primary|main|preferred|new|current|work|business|company|personal|private|contact|customer|client|user|member|subscriber|lead|guest|attendee|participant|registrant|employee|student|billing) )*(?:emails?|mail)(?: ?(?:address(?:es)?|adresse|adres|id))?(?: 1)?(?: value)?$|^(?:correos?(?: electr[oó]nicos?)?|courriels?|adresse (?:email|mail)|indirizzo (?:email|mail)|posta elettronica|endere[cç]o de email|e ?post(?:a|adress(?:e)?)?|s[aä]hk[oö]posti(?:osoite)?|メール(?:アドレス)?|邮箱(?:地址)?|(?:电子)?邮件(?:地址)?|電子郵件(?:地址)?|電郵|이메일(?: 주소)?|(?:эл|электронная) ?почта|почта|email адрес|البريد الإلكتروني|ईमेल|דוא"ל)$/u;

/** A plain title beats one with a word before it, even with empty cells. */
const PLAIN_TITLE = /^(?:emails?|mail)(?: ?address)?$/u;

/** Titles that mention addresses, also among other words (`email_opt_in`). */
export const MENTION = /e-?mail|correo|courriel|メール|邮箱|邮件|郵件|почт|이메일/iu;

/** Titles of the person a message goes to. */
const RECIPIENT =
  /^(?:(?:original|final|envelope|delivered|sent|x) )*(?:(?:rcpt )?to|recipients?|destinations?|addressees?|destinat[aá]rios?|destinataires?|destinatari|empf[aä]nger|an|ontvangers?|mottagare|mottaker|modtager|vastaanottaja|al[iı]c[iı]|宛先|受信者|收件人|받는 ?사람|수신자|получатель|кому|المستلم|प्राप्तकर्ता|נמען)(?: ?(?:emails?|addr|address(?:es)?|adresse|メール(?:アドレス)?|邮箱|地址|이메일))*$/u;

const CLEAR = 3;

/** What a title says about its cells. The first match counts. */
const TITLES: readonly { readonly says: RegExp; readonly weight: number; readonly why: string }[] = [
  {
    says: words(
      String.raw`(?:message|msg|nachrichten|mensaje|mensagem|messaggio|meddelande|сообщения) ?id|id (?:de |del |du |da )?(?:message|mensaje|mensagem|messaggio|сообщения)|u?uid|guid|references|in reply to|メッセージ ?id|메시지 ?id`,
      '消息 ?id|邮件 ?id|訊息 ?id',
    ),
    weight: -3,
    why: 'ids of messages and events look like addresses, and nobody reads mail there',
  },
  {
    says: words(
      String.raw`sender|from|return ?path|reply ?to|bounces? address|remitente|remetente|exp[eé]diteur|mittente|absender|von|afzender|avs[aä]ndare|avsender|afsender|l[aä]hett[aä]j[aä]|g[oö]nderen|responder a|r[eé]pondre [aà]|rispondi a|antwort(?:adresse| an)|보낸 ?사람|발신자|답장|отправител[ья]|от|от кого|обратный адрес|المرسل|الرد|प्रेषक|שולח`,
      '差出人|送信者|返信先|发件人|寄件人|发送人|寄件者|回复|回覆',
    ),
    weight: -2,
    why: 'the one who wrote, or who gets the answers',
  },
  {
    says: words(
      String.raw`old|previous|former|prior|past|outdated|ex|alte?|alten|ancien(?:ne)?|antigu[oa]|anterior|vecchi[oa]|precedente|antig[oa]|gam(?:mal|mel|la|le)|vanha|eski|oud|oude|이전|старый|старая|прежний|القديم|पुराना|ישן`,
      '旧|舊|以前',
    ),
    weight: -2,
    why: 'an address that another has replaced',
  },
  {
    says: words(
      String.raw`owner|manager|agent|rep|(?:created|updated|modified|sent|added|invited|referred) by|by|assigned(?: to)?`,
      '担当|负责人',
    ),
    weight: -2,
    why: 'the staff behind a row',
  },
  { says: TITLE, weight: CLEAR, why: 'nothing but addresses' },
  { says: RECIPIENT, weight: CLEAR, why: 'the one written to' },
  { says: MENTION, weight: 2, why: 'an address among other words: a second one, or a word about it' },
];

/** A title as words: `replyTo`, `Reply-To` and `REPLY_TO` are one, and so are `Email(s)` and `email`. */
const titleWords = (title: string): string =>
  title
    .normalize('NFKC')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .replace(/\(e?s\)$/u, '')
    .replaceAll(/[\s_./:*()[\]\u2010-\u2015-]+/gu, ' ')
    .trim()
    .replaceAll(/(?<!\p{L})e mail/gu, 'email')
    .replace(/(?<=\p{L}{2})(?=(?:email|address|adresse)$)/u, ' ');

/** Longer cells are sentences. */
const TITLE_MAX = 60;

function readTitle(title: string): (typeof TITLES)[number] | undefined {
  if (title.length < 2 || title.length > TITLE_MAX) return undefined;
  const plain = titleWords(title);
  return TITLES.find(({ says }) => says.test(plain));
}

export const weightOfTitle = (title: string): number => readTitle(title)?.weight ?? 0;

export const isTitleOfAddresses = (cell: string): boolean => readTitle(cell)?.says === TITLE;

export const isTitleOfRecipients = (cell: string): boolean => weightOfTitle(cell) === CLEAR;

export const mentionsAddresses = (cell: string): boolean => MENTION.test(cell) || isTitleOfAddresses(cell);

/** A cell intended as an address, valid or not. */
export const looksLikeAddress = (cell: string): boolean => cell.includes('@') && !/\s/u.test(cell);

export const isAddress = (cell: string): boolean => looksLikeAddress(cell) && parseAddress(cell).ok;

/** A message id: alone in brackets, or with more digits than a name has. */
const MESSAGE_ID = /^<[^<>\s]+>$|^(?=[^@]{16})(?=(?:[^@\d]*\d){4})[^@]*@/u;

/** The filled cells of each column that has one, in one pass: a short file may have 60,000 columns. */
export function filledCells(rows: readonly Row[]): ReadonlyMap<number, readonly string[]> {
  const columns = new Map<number, string[]>();
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      if (cell.trim() === '') continue;
      const cells = columns.get(column);
      if (cells === undefined) columns.set(column, [cell]);
      else cells.push(cell);
    }
  }
  return columns;
}

/** Two columns this near are both shown: the step from a plain title to one that mentions addresses. */
const NEAR = 1.5;

/**
 * The address column: the caller's, else the best by cells and title; null when none qualifies.
 * @param titles the header, or null
 */
export function columnOf(titles: Row | null, rows: readonly Row[], hint: ColumnHint): FoundColumns {
  if (typeof hint === 'string') {
    const index = titles?.findIndex((title) => isSameTitle(title, hint)) ?? -1;
    return { column: index < 0 ? null : index, other: null };
  }
  const width = Math.max(titles?.length ?? 0, ...rows.map(({ length }) => length));
  if (hint !== null) return { column: hint < width ? hint : null, other: null };
  const filled = filledCells(rows);
  const titled = titles?.flatMap((title, column) => (title === '' ? [] : [column])) ?? [];
  const [best, second] = [...new Set([...filled.keys(), ...titled])]
    .map((column) => ({
      column,
      ...judged(titles?.[column] ?? '', filled.get(column) ?? [], rows.length, width),
    }))
    .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
    .toSorted((a, b) => b.score - a.score || a.column - b.column);
  const isNear = best?.hasAddresses === true && second?.hasAddresses === true && best.score - second.score <= NEAR;
  return { column: best?.column ?? null, other: isNear ? second.column : null };
}

export const isSameTitle = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The penalty of ids, and of one repeated address: more than any title weighs. */
const PENALTY = 4;
/** Columns with addresses come before all others. */
const TITLE_ONLY = -100;
const UNLIKELY = { score: Number.NEGATIVE_INFINITY, hasAddresses: false };

function judged(
  title: string,
  filled: readonly string[],
  rows: number,
  width: number,
): { readonly score: number; readonly hasAddresses: boolean } {
  const meant = filled.map(bare).filter(looksLikeAddress);
  const share = meant.some(isAddress) ? meant.length / filled.length : 0;
  // Most addresses may be invalid in a list to be cleaned, which has one column or a clear title.
  const { says, weight = 0 } = readTitle(title) ?? {};
  const isPlain = PLAIN_TITLE.test(titleWords(title.slice(0, TITLE_MAX)));
  const needed = width === 1 || weight === CLEAR ? Number.EPSILON : 0.5;
  if (share < needed) {
    const isEmpty = filled.length === 0;
    if (says !== TITLE && !(isEmpty && says === MENTION)) return UNLIKELY;
    return { score: TITLE_ONLY + Number(isEmpty && says === TITLE), hasAddresses: false };
  }
  const different = new Set(meant.map((cell) => cell.toLowerCase())).size;
  // The same address in every row is the account's own or a colleague's; a file of one row proves nothing.
  const isRepeated = different === 1 && rows > 1;
  const ids = filled.filter((cell) => MESSAGE_ID.test(cell.trim())).length / filled.length;
  return {
    score:
      weight + Number(isPlain) / 2 + share + (2 * different) / Math.max(1, rows) - PENALTY * (ids + Number(isRepeated)),
    hasAddresses: true,
  };
}
