import { trimUnseen } from '../../address/idna.ts';
import { withoutSurroundings } from '../../address/parse.ts';

/** Encodings of a file. A cell of an 8-bit file that is not UTF-8 is Windows-1252: some files contain both. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A charset's HTTP name. */
export type Charset = Encoding | 'windows-1252';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How bytes are cut into cells. */
export interface Dialect {
  readonly encoding: Encoding;
  /**
   * Bytes before the header or first row: a byte order mark, Excel's delimiter line (`sep=;`), lines above the header.
   */
  readonly prefaceBytes: number;
  readonly delimiter: Delimiter;
  /** The last unit of a line break, for a segment, which drops blank lines: LF, or CR alone as on old Macs. */
  readonly lineBreak: 'lf' | 'cr';
}

/** Bytes of a code unit. Every character that ends a cell is a single unit. */
export const unitBytes = ({ encoding }: Pick<Dialect, 'encoding'>): 1 | 2 => (encoding === 'utf-8' ? 1 : 2);

export interface CsvLayout {
  readonly dialect: Dialect;
  readonly hasHeader: boolean;
  /** Zero-based; null means no column has addresses, and every row is skipped. */
  readonly emailColumn: number | null;
}

export type Units = Uint8Array | Uint16Array;

/** Cuts a stream of bytes into blocks of whole code units, without the preface. */
export class UnitReader {
  private readonly wide: boolean;
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
    // Only the first unit may begin in the previous block.
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
/** Maps every byte. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** UTF-8 text, or Windows-1252 where it is not valid UTF-8. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}

export const cellText = (units: Units): string =>
  unquoted(units instanceof Uint8Array ? decodeBytes(units) : String.fromCharCode(...units));

/** A raw cell without syntactic quotes. Quotes around a name (`"Jane" <jane@corp.example>`) are text. */
export function unquoted(text: string): string {
  const last = text.lastIndexOf('"');
  return text.startsWith('"') && !text.slice(last).includes('>') ? text.slice(1, last).replaceAll('""', '"') : text;
}

/** The address of `Jane Doe <jane@corp.example>` (RFC 5322 `name-addr`), or null. */
function addressInBrackets(text: string): string | null {
  if (!text.endsWith('>')) return null;
  const at = text.lastIndexOf('<');
  const inside = text.slice(at + 1, -1);
  // Two pairs of brackets are two people: left as typed, as invalid syntax.
  const isOne = at >= 0 && text.indexOf('<') === at && text.indexOf('>') === text.length - 1;
  return isOne && inside.includes('@') && !/\s/u.test(inside) ? inside : null;
}

/** Separators between addresses in one cell. */
const BETWEEN = /[\s,;:|/\\<>()[\]"，；、]+/u;

/** Two addresses in one cell (`a@x.example, b@y.example`, `a@x.example ::: b@y.example`), an ambiguity. */
export const holdsSeveral = (text: string): boolean =>
  text.split(BETWEEN).filter((part) => /.@./u.test(part)).length > 1;

/**
 * A cell's address without its surroundings and non-syntactic quotes (` "a@b.example"` is text, since the quote is not
 * its first character). A name with an address in brackets gives the address.
 */
export function bare(text: string): string {
  const trimmed = trimUnseen(text);
  const quoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const inside = quoted
    ? trimUnseen(trimmed.slice(1, -1))
    : (addressInBrackets(trimmed.replace(/(?<=>)[.,;\s]+$/u, '')) ?? trimmed);
  return withoutSurroundings(inside) ?? inside;
}
