import {
  ActionIcon,
  Checkbox,
  Group,
  SegmentedControl,
  Stack,
  Table,
  Text,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { type Dispatch, memo, type SetStateAction, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useFilters, useTypedFilter } from '../../lib/filters.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { allPages, Export } from '../../parts/export.tsx';
import type { HeadCells } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { Dimmed, QuietButton, Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import {
  listRules,
  removeRules,
  rulesKey,
  entriesText,
  type RuleEntry,
  type RuleKind,
  type RuleSide,
  shownOf,
} from './queries.ts';

export const sideOf = (search: Record<string, string | undefined>): RuleSide =>
  search['list'] === 'allow' ? 'allow' : 'block';

/** Full addresses are not stored, so a search can't find them. */
const isAddress = (text: string): boolean => /[^\s@•]@./.test(text);

const NONE_YET: Readonly<Record<RuleKind, Readonly<Record<RuleSide, string>>>> = {
  domain: { block: 'No blocked domains', allow: 'No allowed domains' },
  address: { block: 'No blocked addresses', allow: 'No allowed addresses' },
};

function SearchBox() {
  const [text, type] = useTypedFilter('q');
  return (
    <TextInput
      aria-label="Search the list"
      data-search
      placeholder="Search domains and notes"
      leftSection={<Icon name="search" size={15} />}
      value={text}
      maxLength={100}
      miw={220}
      flex={1}
      onChange={(event) => {
        const next = event.currentTarget.value;
        type(next, !isAddress(next));
      }}
      error={isAddress(text) && 'Addresses are stored as a hash. Use Test to find an address.'}
    />
  );
}

const ROW_PX = 40;

interface TableProps {
  readonly entries: readonly RuleEntry[];
  readonly hasMore: boolean;
  readonly kind: RuleKind;
  readonly mayChange: boolean;
  readonly selected: ReadonlySet<string>;
  /** Both are stable functions. */
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
  readonly onRemove: (entries: readonly RuleEntry[]) => void;
}

function Rows({ entries, hasMore, kind, mayChange, selected, onSelect, onRemove }: TableProps) {
  const isAll = entries.every(({ id }) => selected.has(id));
  const all = (
    <Checkbox
      size="xs"
      aria-label="Select all"
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => onSelect(isAll ? new Set() : new Set(entries.map(({ id }) => id)))}
    />
  );
  const cells: HeadCells = [
    kind === 'domain' ? 'Domain' : 'Address',
    ['Note', { visibleFrom: 'md' }],
    ['Added', { w: 110, visibleFrom: 'xs' }],
    ['By', { w: 120, visibleFrom: 'md' }],
  ];
  const actions = <VisuallyHidden>Actions</VisuallyHidden>;
  const head: HeadCells = mayChange ? [[all, { w: 40 }], ...cells, [actions, { w: 48 }]] : cells;
  return (
    <LongTable
      name="Rules"
      rows={entries}
      hasMore={hasMore}
      keyOf={({ id }) => id}
      head={head}
      minWidth={270}
      rowHeight={ROW_PX}
    >
      {(entry, { at, measure }) => (
        <Row
          entry={entry}
          at={at}
          measure={measure}
          mayChange={mayChange}
          isSelected={selected.has(entry.id)}
          onSelect={onSelect}
          onRemove={onRemove}
        />
      )}
    </LongTable>
  );
}

interface RowProps extends RowPlace, Pick<TableProps, 'mayChange' | 'onSelect' | 'onRemove'> {
  readonly entry: RuleEntry;
  readonly isSelected: boolean;
}

const Row = memo(function Row({ entry, at, measure, mayChange, isSelected, onSelect, onRemove }: RowProps) {
  const toggle = () =>
    onSelect((before) => {
      const next = new Set(before);
      if (!next.delete(entry.id)) next.add(entry.id);
      return next;
    });
  return (
    <Table.Tr {...placed({ at, measure })} {...(isSelected && { bg: 'var(--chosen)' })}>
      {mayChange && (
        <Table.Td>
          <Checkbox size="xs" aria-label={`Select ${shownOf(entry)}`} checked={isSelected} onChange={toggle} />
        </Table.Td>
      )}
      <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
        {shownOf(entry)}
        <Small lineClamp={2} hiddenFrom="md">
          {entry.note}
        </Small>
      </Table.Td>
      <Table.Td c="dimmed" visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" lineClamp={2} title={entry.note ?? undefined}>
          {entry.note}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
        <Time at={entry.created_at} />
      </Table.Td>
      <Table.Td visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
        <Maker id={entry.created_by} />
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <Tooltip label="Remove">
            <ActionIcon aria-label={`Remove ${shownOf(entry)}`} onClick={() => onRemove([entry])}>
              <Icon name="cross" size={15} />
            </ActionIcon>
          </Tooltip>
        </Table.Td>
      )}
    </Table.Tr>
  );
});

/** Confirms removal: an address can't be restored from its rule. */
function Removal({
  entries,
  kind,
  side,
  onDone,
}: {
  readonly entries: readonly RuleEntry[];
  readonly kind: RuleKind;
  readonly side: RuleSide;
  readonly onDone: (isRemoved: boolean) => void;
}) {
  const { api, id } = useOrganisation();
  const remove = useMutation({
    mutationFn: () =>
      removeRules(
        api,
        kind,
        side,
        entries.map((entry) => entry.id),
      ),
    onSuccess: () => onDone(true),
    onSettled: () => queryClient.invalidateQueries({ queryKey: rulesKey(id) }),
  });
  const [only] = entries;
  const what = entries.length === 1 && only !== undefined ? shownOf(only) : entriesText(kind, entries.length);
  return (
    <Confirm
      opened={entries.length > 0}
      title={plural(entries.length, 'Remove this entry?', 'Remove these entries?')}
      action="Remove"
      sending={remove}
      onConfirm={() => remove.mutate()}
      onClose={() => {
        remove.reset();
        onDone(false);
      }}
    >
      <b>{what}</b> will no longer be {side === 'block' ? 'blocked' : 'allowed'}.{' '}
      {kind === 'address' && 'You need the full address to add it again.'}
    </Confirm>
  );
}

export function RuleList({ onAdd }: { readonly onAdd: () => void }) {
  const { api, id, role } = useOrganisation();
  const [search, change] = useFilters();
  const side = sideOf(search);
  const kind: RuleKind = search['of'] === 'addresses' ? 'address' : 'domain';
  const { q } = search;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState<readonly RuleEntry[]>([]);
  const mayChange = roleAllows(role, 'member');

  const query = usePages({
    queryKey: [...rulesKey(id), kind, side, q],
    load: (place) => listRules(api, kind, side, { ...(q && { search: q }), ...place }),
  });
  const entries = query.data?.flatMap((page) => page.entries) ?? [];
  const count = query.data?.at(-1)?.count ?? 0;
  const show = (next: Record<string, string | undefined>) => {
    setSelected(new Set());
    change(next, true);
  };

  return (
    <Section>
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Which list"
            value={side}
            onChange={(value) => show({ list: value === 'allow' ? 'allow' : undefined })}
            data={[
              { value: 'block', label: 'Blocked' },
              { value: 'allow', label: 'Allowed' },
            ]}
          />
          <SegmentedControl
            aria-label="Domains or addresses"
            value={kind}
            onChange={(value) => show({ of: value === 'address' ? 'addresses' : undefined })}
            data={[
              { value: 'domain', label: 'Domains' },
              { value: 'address', label: 'Addresses' },
            ]}
          />
          <SearchBox />
          <Export
            name={`${kind}-${side}list`}
            head={[kind, 'note', 'added', 'by']}
            load={async () =>
              (
                await allPages(
                  (place) => listRules(api, kind, side, { ...(q && { search: q }), ...place }),
                  (page) => page.entries,
                )
              ).map((entry) => [
                shownOf(entry),
                entry.note,
                new Date(entry.created_at * 1_000).toISOString(),
                entry.created_by,
              ])
            }
          />
        </Group>
        <Loaded query={query} lines={6}>
          {() => (
            <Stack gap="sm">
              {entries.length === 0 && q !== undefined && (
                <Empty
                  title={kind === 'domain' ? `No domains match “${q}”` : `No addresses match “${q}”`}
                  action={<QuietButton onClick={() => change({ q: undefined }, true)}>Clear search</QuietButton>}
                >
                  Search covers domains, masked addresses and notes.
                </Empty>
              )}
              {entries.length === 0 && q === undefined && (
                <Empty
                  title={NONE_YET[kind][side]}
                  {...(mayChange && {
                    action: <QuietButton onClick={onAdd}>Add entries</QuietButton>,
                  })}
                >
                  {side === 'block'
                    ? 'Blocked addresses are always invalid, at no cost.'
                    : 'Allowed entries override the disposable lists. An allowed address also overrides a blocked domain.'}
                </Empty>
              )}
              {entries.length > 0 && (
                <>
                  <Group justify="space-between" mih={30}>
                    <Dimmed className="numbers" aria-live="polite">
                      {selected.size > 0 ? `${formatCount(selected.size)} selected` : entriesText(kind, count)}
                    </Dimmed>
                    {selected.size > 0 && (
                      <QuietButton onClick={() => setRemoving(entries.filter((entry) => selected.has(entry.id)))}>
                        Remove
                      </QuietButton>
                    )}
                  </Group>
                  <Rows
                    entries={entries}
                    hasMore={query.hasNextPage}
                    kind={kind}
                    mayChange={mayChange}
                    selected={selected}
                    onSelect={setSelected}
                    onRemove={setRemoving}
                  />
                </>
              )}
              <ShowMore query={query} />
            </Stack>
          )}
        </Loaded>
      </Stack>
      <Removal
        entries={removing}
        kind={kind}
        side={side}
        onDone={(isRemoved) => {
          setRemoving([]);
          if (isRemoved) setSelected(new Set());
        }}
      />
    </Section>
  );
}
