import { Alert, FileButton, Button, Select, Stack, Text } from '@mantine/core';
import Papa from 'papaparse';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { ImportRequest } from '../../api/schema.ts';
import { formatList, formatCount, formatRow, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { word } from '../../lib/vocabulary.ts';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Dimmed } from '../../parts/text.tsx';

type Row = ImportRequest['outcomes'][number];

const BATCH = 1_000;

/** Columns by their possible headers. */
const COLUMNS = {
  email: /^(?:e-?mail|address|recipient)/i,
  outcome: /^(?:outcome|event|type|status|result)/i,
  at: /^(?:at|date|time|timestamp|occurred)/i,
  smtp_code: /^(?:smtp|code|diagnostic|reason|response)/i,
} as const;
type Column = keyof typeof COLUMNS;
const NAMES: Readonly<Record<Column, string>> = {
  email: 'Email',
  outcome: 'Outcome',
  at: 'Time',
  smtp_code: 'SMTP code (optional)',
};

/** The outcome for a mail service's word; null if unknown. */
function outcomeOf(text: string): Row['outcome'] | null {
  const said = text.toLowerCase();
  if (/complain|spam/.test(said)) return 'complaint';
  if (/soft|defer|delay|temporar|transient/.test(said)) return 'soft_bounce';
  if (/bounce|fail|reject|invalid|undeliver/.test(said)) return 'hard_bounce';
  return /deliver|sent|open|click|accepted/.test(said) ? 'delivered' : null;
}

/** Epoch seconds from a number or date; null if it is neither. */
function timeOf(text: string): number | null {
  const number = Number(text);
  const ms =
    text.trim() === '' ? Number.NaN : Number.isFinite(number) ? number * (number > 1e11 ? 1 : 1_000) : Date.parse(text);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1_000);
}

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

const UNKNOWN_NAMED = 5;

/** Rows to send, the count of unreadable rows, and unknown outcome words. */
function outcomesOf({ rows }: Read, chosen: Readonly<Record<Column, string | null>>) {
  const outcomes = rows.flatMap((row): readonly Row[] => {
    const cell = (column: Column): string => row[chosen[column] ?? '']?.trim() ?? '';
    const [outcome, at, code] = [outcomeOf(cell('outcome')), timeOf(cell('at')), cell('smtp_code')];
    if (!cell('email').includes('@') || outcome === null || at === null) return [];
    return [{ email: cell('email'), outcome, at, ...(code !== '' && { smtp_code: code.slice(0, 200) }) }];
  });
  const said = new Set(rows.map((row) => row[chosen.outcome ?? '']?.trim() ?? ''));
  const unknown = [...said].filter((text) => text !== '' && outcomeOf(text) === null).slice(0, UNKNOWN_NAMED);
  return { outcomes, unread: rows.length - outcomes.length, unknown };
}

/** Imports past outcomes from a mail service's CSV export. */
export function ImportOutcomes({ onClose }: { readonly onClose: () => void }) {
  const { api, id } = useOrganisation();
  const [read, setRead] = useState<Read | null>(null);
  const [chosen, setChosen] = useState<Record<Column, string | null>>({
    email: null,
    outcome: null,
    at: null,
    smtp_code: null,
  });
  const { outcomes, unread, unknown } = outcomesOf(read ?? { columns: [], rows: [] }, chosen);
  const send = useMutation({
    mutationFn: async () => {
      const total = { accepted: 0, duplicates: 0, rejected: 0, read_as: {} as Record<string, number> };
      for (let at = 0; at < outcomes.length; at += BATCH) {
        const body = { outcomes: outcomes.slice(at, at + BATCH) };
        const receipt = await answerOf(api.POST('/v1/outcomes/import', { body }));
        total.accepted += receipt.accepted;
        total.duplicates += receipt.duplicates;
        total.rejected += receipt.rejected.length;
        for (const [kind, count] of Object.entries(receipt.read_as))
          total.read_as[kind] = (total.read_as[kind] ?? 0) + (count ?? 0);
      }
      return total;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [id, 'calibration'] }),
  });
  const take = (file: File | null) => {
    if (file === null) return;
    Papa.parse<Record<string, string>>(file, {
      header: true,
      skipEmptyLines: true,
      complete: ({ data: rows, meta: { fields: columns = [] } }) => {
        setRead({ columns, rows });
        const find = (pattern: RegExp): string | null => columns.find((name) => pattern.test(name)) ?? null;
        setChosen({
          email: find(COLUMNS.email),
          outcome: find(COLUMNS.outcome),
          at: find(COLUMNS.at),
          smtp_code: find(COLUMNS.smtp_code),
        });
      },
    });
  };
  if (send.data !== undefined) {
    const { accepted, duplicates, rejected, read_as: readAs } = send.data;
    return (
      <Dialog opened onClose={onClose} title="Import outcomes">
        <DialogEnd onDone={onClose}>
          <Text size="sm" role="status">
            {formatCount(accepted)} imported, {formatCount(duplicates)} already known, {formatCount(rejected)} rejected.
          </Text>
          {Object.keys(readAs).length > 0 && (
            <Text size="sm">
              Read as {formatRow(Object.entries(readAs).map(([kind, count]) => `${word(kind)}: ${formatCount(count)}`))}
              .
            </Text>
          )}
        </DialogEnd>
      </Dialog>
    );
  }
  return (
    <Dialog opened onClose={onClose} title="Import outcomes">
      <DialogForm
        action={read === null ? 'Import' : plural(outcomes.length, 'Import # outcome', 'Import # outcomes')}
        isReady={outcomes.length > 0}
        sending={send}
        onSubmit={() => send.mutate()}
        onCancel={onClose}
      >
        <Stack gap="sm">
          <Dimmed>An export of your mail service, with a column each for the address, the outcome and the time.</Dimmed>
          <FileButton onChange={take} accept=".csv,text/csv">
            {(props) => (
              <Button variant="default" {...props}>
                Choose a CSV file
              </Button>
            )}
          </FileButton>
          {read !== null &&
            (Object.keys(NAMES) as Column[]).map((column) => (
              <Select
                key={column}
                label={NAMES[column]}
                data={[...read.columns]}
                value={chosen[column]}
                clearable
                onChange={(value) => setChosen({ ...chosen, [column]: value })}
              />
            ))}
          {unread > 0 && (
            <Alert color="yellow">
              {plural(unread, '# row has', '# rows have')} no address, outcome or time.
              {unknown.length > 0 && ` Unknown outcomes: ${formatList(unknown)}.`}
            </Alert>
          )}
        </Stack>
      </DialogForm>
    </Dialog>
  );
}
