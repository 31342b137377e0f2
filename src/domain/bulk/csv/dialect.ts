import { trimUnseen } from '../../address/idna.ts';
import { withoutSurroundings } from '../../address/parse.ts';

/** Encodings a file may have. A cell of an 8-bit file that is not UTF-8 is Windows-1252: some files hold both. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A charset by its name in an HTTP header. */
export type Charset = Encoding | 'windows-1252';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How a file's bytes are cut into cells. */
export interface Dialect {
  readonly encoding: Encoding;
  /**
   * Bytes before the header or the first row: a byte order mark, Excel's line that names the delimiter (`sep=;`), lines
   * above the header.
   */
  readonly prefaceBytes: number;
  readonly delimiter: Delimiter;
  /** What its line breaks end with, for a segment, which drops blank lines: LF, or CR alone, as old Macs wrote. */
  readonly lineBreak: 'lf' | 'cr';
}

/** Bytes of one code unit. A file is read unit by unit: every character that ends a cell is a single unit. */
export const unitBytes = ({ encoding }: Pick<Dialect, 'encoding'>): 1 | 2 => (encoding === 'utf-8' ? 1 : 2);

/** How a file is to be read. */
export interface CsvLayout {
  readonly dialect: Dialect;
  readonly hasHeader: boolean;
  /** Zero-based; null means no column holds addresses, and every row counts as skipped. */
  readonly emailColumn: number | null;
}

export type Units = Uint8Array | Uint16Array;

/** Cuts a stream of bytes into blocks of whole code units, without the preface. */
export class UnitReader {
  private readonly wide: boolean;
  /** The place of the lower byte in a pair. */
  private readonly low: 0 | 1;
  private skip: number;
  /** The first byte of a unit that the next block completes. */
  private half: number | null = null;

  constructor(dialect: Pick<Dialect, 'encoding' | 'prefaceBytes'>) {
    this.wide = unitBytes(dialect) === 2;
    this.low = dialect.encoding === 'utf-16be' ? 1 : 0;
    this.skip = dialect.prefaceBytes;
  }

  next(bytes: Uint8Array): Units {
    const skipped = Math.min(this.skip, bytes.length);
    this.skip -= skipped;
    const rest = skipped === 0 ? bytes : bytes.subarray(skipped);
    return this.wide ? this.pair(rest) : rest;
  }

  private pair(bytes: Uint8Array): Uint16Array {
    const before = this.half === null ? 0 : 1;
    const units = new Uint16Array((before + bytes.length) >> 1);
    const { low } = this;
    const { length } = units;
    // Only the first unit may begin in the block before.
    for (let i = 0, at = -before; i < length; i += 1, at += 2) {
      const first = (at < 0 ? this.half : bytes[at]) ?? 0;
      const second = bytes[at + 1] ?? 0;
      units[i] = low === 0 ? first | (second << 8) : (first << 8) | second;
    }
    if ((before + bytes.length) % 2 === 1) this.half = bytes.at(-1) ?? this.half;
    else this.half = null;
    return units;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Every byte has a meaning in it. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** The text of 8-bit units: UTF-8, or Windows-1252 where they are not valid UTF-8. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}

export const cellText = (units: Units): string =>
  unquoted(units instanceof Uint8Array ? decodeBytes(units) : String.fromCharCode(...units));

/** A raw cell without the quotes that are syntax. They are text around a name (`"Jane" <jane@corp.example>`). */
export function unquoted(text: string): string {
  const last = text.lastIndexOf('"');
  return text.startsWith('"') && !text.slice(last).includes('>') ? text.slice(1, last).replaceAll('""', '"') : text;
}

/** The address of `Jane Doe <jane@corp.example>` (RFC 5322, `name-addr`), as mail programs copy it; null for other text. */
function addressInBrackets(text: string): string | null {
  if (!text.endsWith('>')) return null;
  const at = text.lastIndexOf('<');
  const inside = text.slice(at + 1, -1);
  // Two pairs of brackets are two people: left as typed, which is broken syntax.
  const isOne = at >= 0 && text.indexOf('<') === at && text.indexOf('>') === text.length - 1;
  return isOne && inside.includes('@') && !/\s/u.test(inside) ? inside : null;
}

/** What stands between addresses in one cell. */
const BETWEEN = /[\s,;:|/\\<>()[\]"，；、]+/u;

/** Two addresses in one cell (`a@x.example, b@y.example`, `a@x.example ::: b@y.example`): which is meant, nobody can tell. */
export const holdsSeveral = (text: string): boolean =>
  text.split(BETWEEN).filter((part) => /.@./u.test(part)).length > 1;

/**
 * What a cell says where an address belongs: without what stands around it, and without quotes that are not syntax
 * (` "a@b.example"` is text, since the quote is not its first character, and still means the address). A name with an
 * address in brackets gives the address.
 */
export function bare(text: string): string {
  const trimmed = trimUnseen(text);
  const quoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const inside = quoted
    ? trimUnseen(trimmed.slice(1, -1))
    : (addressInBrackets(trimmed.replace(/(?<=>)[.,;\s]+$/u, '')) ?? trimmed);
  return withoutSurroundings(inside) ?? inside;
}
