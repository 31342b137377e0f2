import { Button } from '@mantine/core';
import { unparse } from 'papaparse';
import { useMutation } from '../lib/mutation.ts';
import { Icon } from './icons.tsx';
import { ErrorNotice } from './notices.tsx';

type Cells = readonly (string | number | boolean | null)[];

export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

interface ExportProps {
  /** File name without extension. */
  readonly name: string;
  readonly head: readonly string[];
  /** Reads all rows, also those the page has not loaded. */
  readonly load: () => Promise<readonly Cells[]>;
}

/** Saves a list as CSV. Cells that a spreadsheet would run as a formula are escaped. */
export function Export({ name, head, load }: ExportProps) {
  const save = useMutation({
    mutationFn: async () => {
      const rows = await load();
      const text = unparse([[...head], ...rows.map((row) => [...row])], { escapeFormulae: true });
      saveFile(`${name}.csv`, `\uFEFF${text}`, 'text/csv');
    },
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Export CSV
      </Button>
      {save.error !== null && <ErrorNotice error={save.error} />}
    </>
  );
}

/** The most pages that an export reads. */
const PAGES_MAX = 500;

/** All rows of a list with cursors. */
export async function allPages<Page extends { readonly cursor: string | null }, Row>(
  load: (place: { readonly cursor?: string }) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const page: Page = await load(cursor === null ? {} : { cursor });
    rows.push(...rowsOf(page));
    cursor = page.cursor;
    if (cursor === null) break;
  }
  return rows;
}
