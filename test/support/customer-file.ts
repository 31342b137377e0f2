/** A customer's file whose answers don't depend on the time or order of checking. */
export interface CustomerFile {
  readonly text: string;
  /** Without the header and the blank lines. */
  readonly rows: number;
  /** Unique addresses. */
  readonly unique: number;
  /** Without an address. */
  readonly skipped: number;
}

/** Long cells, so that reading and composing take long enough to be interrupted. */
const NOTE = 'Asked for the price list, "now", and for a visit.\n'.repeat(30);
const NOTE_CELL = `"${NOTE.replaceAll('"', '""')}"`;

/** Every seventh row is a quoted one over many lines. */
const cellsOf = (n: number): string => (n % 7 === 0 ? `${n},${NOTE_CELL}` : `${n},"Lovelace, Ada ${n}"`);

/**
 * Some addresses need no provider: no mail host (RFC 7505), no such domain. All others have a domain of their own, since
 * evidence about one address counts for its neighbours.
 */
function addressOf(n: number): string {
  if (n % 25 === 3) return `person${n}@null-mx.test`;
  if (n % 25 === 7) return `person${n}@nobody${n}.test`;
  if (n % 25 === 11) return `info@d${n}.bulk.test`;
  if (n % 5 === 4) return `Person.${n}@d${n}.google-workspace.test`;
  return `person${n}@D${n}.bulk.test`;
}

export function customerFile(unique: number): CustomerFile {
  const lines = ['id,contact,email,since'];
  let [rows, skipped] = [0, 0];
  const add = (n: number, email: string): void => {
    lines.push(`${cellsOf(n)},${email},2026-03-0${1 + (n % 9)}`);
    rows += 1;
  };
  for (let n = 0; n < unique; n += 1) {
    add(n, addressOf(n));
    if (n % 10 === 9) add(n, addressOf(n - 5).toUpperCase());
    if (n % 40 === 13) {
      add(n, '');
      skipped += 1;
    }
    if (n % 90 === 17) lines.push('');
  }
  return { text: `${lines.join('\r\n')}\r\n`, rows, unique, skipped };
}
