/** A sheet of a workbook, as a file of CSV. */
export interface Sheet {
  readonly name: string;
  readonly rows: number;
  /** Its cells as they are displayed: leading zeros and dates stay. */
  readonly toFile: () => File;
}

export const isWorkbook = ({ name }: File): boolean => /\.(?:xlsx|xlsm|xls|ods)$/i.test(name);

/** Reads a workbook in the browser: it never leaves it, only the chosen sheet does. The reader is loaded with the first one. */
export async function sheetsOf(file: File): Promise<readonly Sheet[]> {
  const { read, utils } = await import('@e965/xlsx');
  const { SheetNames: names, Sheets: sheets } = read(await file.arrayBuffer(), { dense: true, cellNF: true });
  return names.flatMap((name) => {
    const sheet = sheets[name];
    const range = sheet?.['!ref'];
    if (sheet === undefined || range === undefined) return [];
    const { s: first, e: last } = utils.decode_range(range);
    return [
      {
        name,
        rows: last.r - first.r + 1,
        toFile: () => {
          const csv = utils.sheet_to_csv(sheet, { blankrows: false });
          const base = file.name.replace(/\.\w+$/, '');
          const title = names.length === 1 ? base : `${base}, ${name}`;
          return new File([csv], `${title}.csv`, { type: 'text/csv' });
        },
      },
    ];
  });
}
