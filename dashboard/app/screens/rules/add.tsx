import { FileButton, Group, SegmentedControl, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { formatCount, formatList, formatRow, formatSentences, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Head } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Dimmed, QuietButton, Strong } from '../../parts/text.tsx';
import {
  type Added,
  addAddresses,
  addDomains,
  BATCH,
  otherSide,
  rulesKey,
  entriesText,
  type RuleSide,
} from './queries.ts';
import { isWellFormed, LINES_MAX, type Line, type RefusedLine, readLines, reasonInWords } from './read-lines.ts';

interface Outcome {
  readonly added: number;
  readonly moved: number;
  readonly unchanged: number;
  readonly duplicates: number;
  readonly refused: readonly RefusedLine[];
}

const FILE_BYTES_MAX = 5_000_000;
const REFUSED_SHOWN = 200;

/** Sends lines in batches, and maps refusals back to lines. */
async function addLines(api: ApiClient, side: RuleSide, text: string, note: string): Promise<Outcome> {
  const { lines, refused: unread, duplicates } = readLines(text);
  const total = { added: 0, moved: 0, unchanged: 0, duplicates, refused: [...unread] };
  const send = async (kind: Line['kind'], add: typeof addDomains) => {
    const ofKind = lines.filter((line) => line.kind === kind);
    for (let at = 0; at < ofKind.length; at += BATCH) {
      const batch = ofKind.slice(at, at + BATCH);
      const answer: Added = await add(
        api,
        side,
        batch.map((line) => line.text),
        note,
      );
      total.added += answer.added;
      total.moved += answer.moved;
      total.unchanged += answer.unchanged;
      for (const { index, reason } of answer.rejected) {
        const line = batch[index];
        if (line !== undefined) total.refused.push({ line: line.line, text: line.text, reason: reasonInWords(reason) });
      }
    }
  };
  await send('domain', addDomains);
  await send('address', addAddresses);
  return { ...total, refused: total.refused.toSorted((one, other) => one.line - other.line) };
}

function summaryOf({ added, moved, unchanged, duplicates }: Outcome, side: RuleSide): string {
  return formatSentences(
    added > 0 && `${formatCount(added)} added.`,
    moved > 0 && `${formatCount(moved)} moved from the ${otherSide(side)} list.`,
    unchanged > 0 && plural(unchanged, '# was on the list already.', '# were on the list already.'),
    duplicates > 0 && plural(duplicates, '# duplicate line.', '# duplicate lines.'),
  );
}

/** `2 domains and 1 address, 1 repeated line, 2 lines of a wrong form`. */
function previewText(text: string): string {
  const { lines, refused, duplicates } = readLines(text);
  const [good, bad] = [lines.filter(isWellFormed), lines.filter((line) => !isWellFormed(line))];
  const wrong = bad.length + refused.length;
  const domains = good.filter(({ kind }) => kind === 'domain').length;
  const entries = [
    domains > 0 ? entriesText('domain', domains) : '',
    good.length > domains ? entriesText('address', good.length - domains) : '',
  ].filter((part) => part !== '');
  const parts = [
    formatList(entries),
    duplicates > 0 ? plural(duplicates, '# duplicate line', '# duplicate lines') : '',
    wrong > 0 ? plural(wrong, '# invalid line', '# invalid lines') : '',
  ];
  return formatRow(parts.filter((part) => part !== ''));
}

const Preview = ({ text }: { readonly text: string }) => <Dimmed aria-live="polite">{previewText(text)}</Dimmed>;

function Refusals({ refused }: { readonly refused: readonly RefusedLine[] }) {
  return (
    <Stack gap="xs">
      <Strong>{plural(refused.length, '# line rejected', '# lines rejected')}</Strong>
      <ScrollTable minWidth={280} mah={260} isPlain fz="sm" stickyHeader>
        <Head cells={[['Line', { w: 64 }], 'Text', 'Why']} />
        <Table.Tbody>
          {refused.slice(0, REFUSED_SHOWN).map(({ line, text, reason }) => (
            <Table.Tr key={line}>
              <Table.Td className="numbers">{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{text.slice(0, 120)}</Table.Td>
              <Table.Td>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
      {refused.length > REFUSED_SHOWN && <Dimmed>The first {REFUSED_SHOWN} are shown.</Dimmed>}
    </Stack>
  );
}

function AddForm({ initial, onClose }: { readonly initial: RuleSide; readonly onClose: () => void }) {
  const { api, id } = useOrganisation();
  const [side, setSide] = useState<RuleSide>(initial);
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () => addLines(api, side, text, note),
    // Also after an error, as earlier batches are saved.
    onSettled: () => queryClient.invalidateQueries({ queryKey: rulesKey(id) }),
  });

  const readFile = async (file: File | null) => {
    if (file === null) return;
    setFault(file.size > FILE_BYTES_MAX ? 'The file is over 5 MB. Split it into parts.' : null);
    if (file.size <= FILE_BYTES_MAX) setText(await file.text());
  };
  const submit = () => {
    const { lines } = readLines(text);
    if (lines.length === 0) return setFault('Enter one domain or address per line.');
    if (lines.length > LINES_MAX)
      return setFault(`${formatCount(lines.length)} lines: at most ${formatCount(LINES_MAX)} at a time.`);
    setFault(null);
    add.mutate();
  };

  if (add.data !== undefined) {
    const changed = add.data.added + add.data.moved + add.data.unchanged > 0;
    return (
      <DialogEnd
        more={{
          label: add.data.refused.length > 0 ? 'Fix rejected lines' : 'Add more',
          onClick: () => {
            setText(add.data.refused.map((line) => line.text).join('\n'));
            add.reset();
          },
        }}
        onDone={onClose}
      >
        <Group gap="xs" wrap="nowrap" role="status">
          <Text component="span" lh={0} style={{ color: changed ? 'var(--mark-good)' : 'var(--mark-wait)' }}>
            <Icon name={changed ? 'check' : 'warning'} />
          </Text>
          <Strong>{changed ? summaryOf(add.data, side) : 'Nothing was added.'}</Strong>
        </Group>
        {add.data.refused.length > 0 && <Refusals refused={add.data.refused} />}
      </DialogEnd>
    );
  }
  return (
    <DialogForm action={side === 'block' ? 'Block' : 'Allow'} sending={add} onSubmit={submit} onCancel={onClose}>
      <SegmentedControl
        fullWidth
        value={side}
        onChange={(value) => setSide(value === 'allow' ? 'allow' : 'block')}
        data={[
          { value: 'block', label: 'Block' },
          { value: 'allow', label: 'Allow' },
        ]}
        aria-label="Action"
      />
      <Textarea
        label="Domains and addresses"
        description="One per line. A domain covers its subdomains."
        placeholder={'spam.example\nada@example.com'}
        autosize
        minRows={5}
        maxRows={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={fault}
        data-autofocus
        spellCheck={false}
        autoCapitalize="off"
      />
      <Group justify="space-between">
        <Preview text={text} />
        <FileButton onChange={(file) => void readFile(file)} accept=".csv,.txt,.tsv,text/plain,text/csv">
          {(props) => (
            <QuietButton {...props} leftSection={<Icon name="upload" size={14} />}>
              Choose a file
            </QuietButton>
          )}
        </FileButton>
      </Group>
      <TextInput
        label="Note"
        description="Saved with every entry. No email addresses."
        placeholder="Complaints in May"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

export function AddRules({
  opened,
  side,
  onClose,
}: {
  readonly opened: boolean;
  readonly side: RuleSide;
  readonly onClose: () => void;
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add entries" size="lg">
      <AddForm initial={side} onClose={onClose} />
    </Dialog>
  );
}
