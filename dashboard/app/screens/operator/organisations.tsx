import { Button, Center, Code, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DirectoryEntry, ServiceStatus } from '../../api/operations.ts';
import { formatCount, formatDollars } from '../../lib/format.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { durationText } from './durations.ts';

type Counted = ServiceStatus['organisations'][number];

interface Row {
  readonly id: string;
  readonly entry: DirectoryEntry | undefined;
  /** Undefined: its object gave no answer. */
  readonly counted: Counted | undefined;
}

const SHOWN = 50;

/** What calls for a look stands first. */
const weightOf = ({ counted }: Row): number =>
  counted === undefined
    ? Number.POSITIVE_INFINITY
    : counted.outbox_dead + counted.jobs_failed + (counted.outbox_age_s ?? 0) + counted.erasures;

/** The organisations of the status, with their names where the directory could be read. */
function rowsOf({ organisations, unreachable }: ServiceStatus, directory: readonly DirectoryEntry[] | null): Row[] {
  const entries = new Map(directory?.map((entry) => [entry.id, entry]));
  return [
    ...unreachable.map((id) => ({ id, entry: entries.get(id), counted: undefined })),
    ...organisations.map((counted) => ({ id: counted.id, entry: entries.get(counted.id), counted })),
  ].toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** Every organisation, those with trouble first. */
export function Organisations({
  status,
  directory,
}: {
  readonly status: ServiceStatus;
  readonly directory: readonly DirectoryEntry[] | null;
}) {
  const [asked, setAsked] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const wanted = asked.trim().toLowerCase();
  const rows = rowsOf(status, directory).filter(
    ({ id, entry }) => wanted === '' || id.includes(wanted) || entry?.name.toLowerCase().includes(wanted) === true,
  );
  return (
    <Section
      title="Organisations"
      note="Those that need a look come first, then the newest."
      action={
        <TextInput
          aria-label="Search organisations"
          placeholder="Name or id"
          leftSection={<Icon name="search" size={15} />}
          value={asked}
          onChange={(event) => setAsked(event.currentTarget.value)}
        />
      }
    >
      {rows.length === 0 ? (
        <Empty title={wanted === '' ? 'No organisation yet' : 'No organisation has this name or id'}>
          {wanted === '' ? 'The first one is made by `npm run operator -- org create`.' : 'Search for a part of it.'}
        </Empty>
      ) : (
        <Table.ScrollContainer minWidth={860} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table fz="sm" verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Organisation</Table.Th>
                <Table.Th>Made</Table.Th>
                <Table.Th ta="right">Quota a month</Table.Th>
                <Table.Th ta="right">Vendors, this month</Table.Th>
                <Table.Th ta="right">Outbox</Table.Th>
                <Table.Th ta="right">Rejected</Table.Th>
                <Table.Th ta="right">Erasures</Table.Th>
                <Table.Th ta="right">Failed jobs</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody className="numbers">
              {rows.slice(0, shown).map((row) => (
                <OrganisationRow key={row.id} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {rows.length > shown && (
        <Center mt="md">
          <Button variant="default" size="xs" onClick={() => setShown(shown + SHOWN)}>
            Show more
          </Button>
        </Center>
      )}
    </Section>
  );
}

function OrganisationRow({ row: { id, entry, counted } }: { readonly row: Row }) {
  return (
    <Table.Tr>
      <Table.Td maw={280}>
        <Text size="sm" fw={500} truncate>
          {entry?.name ?? 'Name not known'}
        </Text>
        <Code fz="xs">{id}</Code>
      </Table.Td>
      <Table.Td>{entry !== undefined && <Time at={entry.created_at} />}</Table.Td>
      <Table.Td ta="right">{entry === undefined ? '' : quotaText(entry.verification_quota)}</Table.Td>
      {counted === undefined ? (
        <Table.Td colSpan={5} c="var(--mark-poor)">
          Its object gave no answer
        </Table.Td>
      ) : (
        <>
          <Table.Td ta="right">
            {formatDollars(counted.provider_spend_usd)}
            {typeof entry?.provider_budget_usd === 'number' && (
              <Text span size="xs" c="dimmed">
                {' '}
                of {formatDollars(entry.provider_budget_usd)}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">
            {formatCount(counted.outbox_rows)}
            {counted.outbox_age_s !== null && (
              <Text span size="xs" c="dimmed">
                {' '}
                {durationText(counted.outbox_age_s)}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">{formatCount(counted.outbox_dead)}</Table.Td>
          <Table.Td ta="right">{formatCount(counted.erasures)}</Table.Td>
          <Table.Td ta="right">{formatCount(counted.jobs_failed)}</Table.Td>
        </>
      )}
    </Table.Tr>
  );
}

const quotaText = (quota: number): string => (quota <= 0 ? 'Unmetered' : formatCount(quota));
