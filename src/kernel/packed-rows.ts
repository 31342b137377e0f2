/**
 * The rows of a packed table: lines of UTF-8 text, the first of which names the table's form. Throws on another form and
 * on an empty table.
 */
export function packedRows(data: ArrayBuffer | Uint8Array, form: string): readonly string[] {
  const [first, ...rows] = new TextDecoder().decode(data).split('\n');
  if (first !== form || rows.length === 0) throw new Error(`${form}: not a table of this form`);
  return rows;
}
