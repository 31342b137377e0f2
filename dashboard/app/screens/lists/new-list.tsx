import '@mantine/dropzone/styles.css';
import { ActionIcon, Button, Group, Progress, Select, Stack, Tabs, Text, Textarea } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { policiesQuery } from '../../api/queries.ts';
import type { BulkJob } from '../../api/schema.ts';
import { formatDollars, formatShare, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Small, Strong } from '../../parts/text.tsx';
import { pasteList, refreshJob, uploadList } from './queries.ts';
import { isWorkbook, type Sheet, sheetsOf } from './spreadsheet.ts';

const PASTE_MAX = 1_000;
const NAME_MAX = 100;
export const FILES = {
  accept: {
    'text/csv': ['.csv', '.tsv', '.txt'],
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx', '.xlsm', '.xls', '.ods'],
  },
  maxSize: 50 * 2 ** 20,
};

const addressesIn = (text: string): string[] => text.split(/[\n,;]+/).flatMap((part) => part.trim() || []);

type Purpose = BulkJob['purpose'];
const PURPOSES: Readonly<Record<Purpose, string>> = {
  list_hygiene: 'Clean a list you already have.',
  outbound: 'You’re about to email these people.',
  signup: 'These people signed up.',
};

/** A chosen file and its state. */
interface Chosen {
  readonly file: File;
  /** Sheets of a workbook, once read. */
  readonly sheets?: readonly Sheet[];
  readonly sheet: number;
  /** Uploaded share; null while waiting. */
  readonly share: number | null;
  readonly job?: BulkJob;
  readonly problem?: string;
}

export function useChosenFiles() {
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const set = (file: File, change: Partial<Chosen>) =>
    setChosen((all) => all.map((each) => (each.file === file ? { ...each, ...change } : each)));
  const add = (files: readonly File[]) => {
    setChosen((all) => [...all, ...files.map((file) => ({ file, sheet: 0, share: null }))]);
    for (const file of files.filter(isWorkbook))
      sheetsOf(file).then(
        (sheets) => set(file, sheets.length > 0 ? { sheets } : { problem: 'This workbook has no rows.' }),
        () => set(file, { problem: 'This workbook can’t be read. Save it again as .xlsx, or as CSV.' }),
      );
  };
  return {
    chosen,
    add,
    set,
    remove: (file: File) => setChosen((all) => all.filter((each) => each.file !== file)),
    clear: () => setChosen([]),
  };
}
export type ChosenFiles = ReturnType<typeof useChosenFiles>;

/** Files or pasted addresses, their purpose, and the upload. Each list's page shows the cost. */
export function NewList({ files }: { readonly files: ChosenFiles }) {
  const { api, id: organisationId } = useOrganisation();
  const navigate = useNavigate();
  const [policy, setPolicy] = useState<string | null>(null);
  const [purpose, setPurpose] = useState<Purpose>('list_hygiene');
  const [pasted, setPasted] = useState('');
  const [rejected, setRejected] = useState<string | null>(null);
  const policies = useQuery(policiesQuery(organisationId));
  const addresses = addressesIn(pasted);
  const { chosen } = files;
  const open = (job: BulkJob) =>
    navigate({ to: '/$organisation/lists/$job', params: { organisation: organisationId, job: job.id } });
  const settings = { purpose, ...(policy !== null && { policy_slug: policy }) };
  const paste = useMutation({ mutationFn: () => pasteList(api, settings, addresses), onSuccess: open });
  const waiting = chosen.filter(({ job, problem }) => job === undefined && problem === undefined);
  const upload = useMutation({
    mutationFn: async () => {
      const jobs: BulkJob[] = [];
      for (const { file, sheets, sheet } of waiting) {
        const source = sheets?.[sheet]?.toFile() ?? file;
        try {
          const named = { ...settings, name: source.name.slice(0, NAME_MAX) };
          const job = await uploadList(organisationId, named, source, (share) => files.set(file, { share }));
          jobs.push(job);
          files.set(file, { job, share: 1 });
        } catch (error) {
          files.set(file, {
            problem: error instanceof ApiError ? error.message : 'The upload broke off.',
            share: null,
          });
        }
        await refreshJob(organisationId, '');
      }
      if (chosen.length === 1 && jobs[0] !== undefined) await open(jobs[0]);
    },
  });
  const jobs = chosen.flatMap(({ job }) => job ?? []);
  const isReading = waiting.some(({ file, sheets }) => isWorkbook(file) && sheets === undefined);
  return (
    <Stack>
      <Tabs defaultValue="file" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="file">Upload</Tabs.Tab>
          <Tabs.Tab value="paste">Paste</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="file" pt="md">
          <Dropzone
            {...FILES}
            aria-label="Choose files"
            className="dropzone"
            onDrop={(dropped) => {
              setRejected(null);
              files.add(dropped);
            }}
            onReject={([first]) =>
              setRejected(
                first?.errors[0]?.code === 'file-too-large'
                  ? `${first.file.name} is over 50 MB. Split it into parts.`
                  : `${first?.file.name ?? 'This'} isn’t a CSV, text or Excel file.`,
              )
            }
          >
            <Stack align="center" gap={4} py={chosen.length === 0 ? 'lg' : 'xs'}>
              <Icon name="upload" size={24} />
              <Strong>Drop CSV or Excel files here, or click to choose</Strong>
              <Small>Up to 50 MB and 100,000 rows each. Nothing is charged before you start.</Small>
            </Stack>
          </Dropzone>
          {rejected !== null && (
            <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
              {rejected}
            </Text>
          )}
          {chosen.map((each) => (
            <ChosenRow key={`${each.file.name} ${each.file.lastModified}`} chosen={each} files={files} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="paste" pt="md">
          <Textarea
            label="Addresses"
            description={`One per line or separated by commas, up to ${PASTE_MAX}.`}
            autosize
            minRows={5}
            maxRows={12}
            spellCheck={false}
            value={pasted}
            onChange={(event) => setPasted(event.currentTarget.value)}
            error={addresses.length > PASTE_MAX && `${addresses.length} addresses: upload them as a file instead.`}
          />
        </Tabs.Panel>
      </Tabs>
      <Group grow preventGrowOverflow={false} align="flex-start">
        <Select
          label="Purpose"
          description={PURPOSES[purpose]}
          miw={200}
          data={Object.keys(PURPOSES).map((value) => ({ value, label: label(value) }))}
          value={purpose}
          onChange={(value) => value !== null && setPurpose(value as Purpose)}
        />
        {(policies.data?.policies.length ?? 0) > 0 && (
          <Select
            label="Policy (optional)"
            description="Adds its decision to each row."
            placeholder="None"
            clearable
            miw={200}
            data={policies.data?.policies.map(({ slug }) => slug) ?? []}
            value={policy}
            onChange={setPolicy}
          />
        )}
      </Group>
      {paste.error !== null && <ErrorNotice error={paste.error} />}
      {jobs.length > 1 && waiting.length === 0 && <StartAll jobs={jobs} onStarted={files.clear} />}
      <Group justify="flex-end">
        {addresses.length > 0 && chosen.length === 0 && (
          <Button onClick={() => paste.mutate()} loading={paste.isPending} disabled={addresses.length > PASTE_MAX}>
            {plural(addresses.length, 'Continue with # address', 'Continue with # addresses')}
          </Button>
        )}
        {waiting.length > 0 && (
          <Button onClick={() => upload.mutate()} loading={upload.isPending || isReading}>
            {plural(waiting.length, 'Upload # file', 'Upload # files')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** A list with an uncertain address column waits for a choice. */
const isSure = ({ state, email_column: column, email_column_other: other }: BulkJob): boolean =>
  state !== 'ready' || (column !== null && other === null);

const columnText = ({ email_column: column }: BulkJob): string =>
  column === null ? 'No email column found: open it' : 'Two email columns: open it';

function ChosenRow({ chosen, files }: { readonly chosen: Chosen; readonly files: ChosenFiles }) {
  const { id } = useOrganisation();
  const { file, sheets, sheet, share, job, problem } = chosen;
  return (
    <div className="chosen-file">
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" flex={1} truncate title={file.name}>
          {job === undefined ? (
            file.name
          ) : (
            <Link to="/$organisation/lists/$job" params={{ organisation: id, job: job.id }}>
              {file.name}
            </Link>
          )}
        </Text>
        {sheets !== undefined && sheets.length > 1 && job === undefined && (
          <Select
            aria-label={`Sheet of ${file.name}`}
            size="xs"
            w={180}
            data={sheets.map(({ name, rows }, at) => ({ value: String(at), label: `${name} (${rows} rows)` }))}
            value={String(sheet)}
            onChange={(value) => files.set(file, { sheet: Number(value) })}
          />
        )}
        {job !== undefined && (isSure(job) ? <Mark term={job.state} /> : <Text size="xs">{columnText(job)}</Text>)}
        {share !== null && job === undefined && (
          <Text size="xs" className="numbers">
            {formatShare(share)}
          </Text>
        )}
        {share === null && job === undefined && (
          <ActionIcon size="sm" aria-label={`Remove ${file.name}`} onClick={() => files.remove(file)}>
            <Icon name="cross" size={14} />
          </ActionIcon>
        )}
      </Group>
      {share !== null && job === undefined && (
        <Progress value={share * 100} size="sm" mt={4} aria-label={`Upload of ${file.name}`} />
      )}
      {problem !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

/** Total cost and start of several lists, without those that wait for a choice. */
function StartAll({ jobs, onStarted }: { readonly jobs: readonly BulkJob[]; readonly onStarted: () => void }) {
  const { api, id: organisationId } = useOrganisation();
  const ready = jobs.filter((job) => job.state === 'ready' && isSure(job));
  const estimates = useQueries({
    queries: ready.map(({ id }) => ({
      queryKey: [organisationId, 'estimate', id],
      queryFn: () => answerOf(api.GET('/v1/bulk/jobs/{id}/estimate', { params: { path: { id } } })),
    })),
  });
  const start = useMutation({
    mutationFn: async () => {
      for (const { id } of ready)
        await answerOf(
          api.POST('/v1/bulk/jobs/{id}/start', { params: { path: { id } }, body: { allow_partial: true } }),
        );
      await refreshJob(organisationId, '');
      onStarted();
    },
  });
  const isKnown = estimates.every(({ data }) => data !== undefined);
  const sum = (of: 'verifications' | 'max_cost_usd') =>
    estimates.reduce((total, { data }) => total + (data?.[of] ?? 0), 0);
  if (ready.length === 0) return null;
  return (
    <Group justify="space-between">
      <Text size="sm" className="numbers">
        {isKnown &&
          `${plural(sum('verifications'), '# verification', '# verifications')}, providers at most ${formatDollars(sum('max_cost_usd'))}`}
      </Text>
      <Button onClick={() => start.mutate()} loading={start.isPending} disabled={!isKnown}>
        {plural(ready.length, 'Start # list', 'Start # lists')}
      </Button>
      {start.error !== null && <ErrorNotice error={start.error} />}
    </Group>
  );
}
