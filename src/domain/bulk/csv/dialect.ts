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
