/**
 * The rows of a packed table: lines of UTF-8 text, the first of which names the table's form. Throws on another form and
 * on an empty table.
 */
export function packedRows(data: ArrayBuffer | Uint8Array, form: string): readonly string[] {
  const [first, ...rows] = new TextDecoder().decode(data).split('\n');
  if (first !== form || rows.length === 0) throw new Error(`${form}: not a table of this form`);
  return rows;
}

/** The same for a large table, decoded on its first use. The form is looked at right away. */
export function packedRowsLater(data: ArrayBuffer | Uint8Array, form: string): () => readonly string[] {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const first = new TextDecoder().decode(bytes.subarray(0, form.length + 1));
  if (first !== `${form}\n`) throw new Error(`${form}: not a table of this form`);
  let rows: readonly string[] | null = null;
  return () => {
    rows ??= packedRows(data, form);
    return rows;
  };
}
