/** A workbook's sheet as a CSV file. */
export interface Sheet {
  readonly name: string;
  readonly rows: number;
  /** Cells as displayed, with leading zeros and dates. */
  readonly toFile: () => File;
}

export const isWorkbook = ({ name }: File): boolean => /\.(?:xlsx|xlsm|xls|ods)$/i.test(name);

/** Reads a workbook in the browser; only the chosen sheet is uploaded. The reader loads on first use. */
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
