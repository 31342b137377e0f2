/** A file as a customer may have one, whose every address has one answer, whenever and in whatever order it is checked. */
export interface CustomerFile {
  readonly text: string;
  /** Without the header and the blank lines. */
  readonly rows: number;
  /** Unique addresses. */
  readonly unique: number;
  /** Without an address. */
  readonly skipped: number;
}

/** Makes reading and composing take long enough to be ended in their middle. */
const NOTE = 'Asked for the price list, "now", and for a visit.\n'.repeat(30);
const NOTE_CELL = `"${NOTE.replaceAll('"', '""')}"`;

/** Every seventh row is a quoted one over many lines. */
const cellsOf = (n: number): string => (n % 7 === 0 ? `${n},${NOTE_CELL}` : `${n},"Lovelace, Ada ${n}"`);

/**
 * Where no provider has to be asked: no mail host (RFC 7505), no such domain. Everywhere else an address has a domain of its own, for
 * what is learnt of one counts for the next of its domain.
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
