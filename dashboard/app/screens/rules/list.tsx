import {
  ActionIcon,
  Button,
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
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';
import { listRules, removeRules, rulesKey } from './queries.ts';
import { entriesText, type RuleEntry, type RuleKind, type RuleSide, shownOf } from './types.ts';

export const sideOf = (search: Record<string, string | undefined>): RuleSide =>
  search['list'] === 'allow' ? 'allow' : 'block';

/** A whole address is kept nowhere, so that a search finds none. */
const isAddress = (text: string): boolean => /[^\s@•]@./.test(text);

const NONE_YET: Readonly<Record<RuleKind, Readonly<Record<RuleSide, string>>>> = {
  domain: { block: 'No domain is blocked yet', allow: 'No domain is allowed yet' },
  address: { block: 'No address is blocked yet', allow: 'No address is allowed yet' },
};

function SearchBox() {
  const [text, type] = useTypedFilter('q');
  return (
    <TextInput
      aria-label="Search the list"
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
      error={isAddress(text) && 'Addresses are kept as a hash. Use “Test one” to find the rule on an address.'}
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
  /** Both the same functions from one drawing to the next. */
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
  readonly onRemove: (entries: readonly RuleEntry[]) => void;
}

function Rows({ entries, hasMore, kind, mayChange, selected, onSelect, onRemove }: TableProps) {
  const isAll = entries.every(({ id }) => selected.has(id));
  const head = (
    <>
      {mayChange && (
        <Table.Th w={40}>
          <Checkbox
            size="xs"
            aria-label="Select all that are shown"
            checked={isAll}
            indeterminate={!isAll && selected.size > 0}
            onChange={() => onSelect(isAll ? new Set() : new Set(entries.map(({ id }) => id)))}
          />
        </Table.Th>
      )}
      <Table.Th>{kind === 'domain' ? 'Domain' : 'Address'}</Table.Th>
      <Table.Th visibleFrom="md">Note</Table.Th>
      <Table.Th w={110} visibleFrom="xs">
        Added
      </Table.Th>
      <Table.Th w={120} visibleFrom="md">
        By
      </Table.Th>
      {mayChange && (
        <Table.Th w={48}>
          <VisuallyHidden>Actions</VisuallyHidden>
        </Table.Th>
      )}
    </>
  );
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
        <Text size="xs" c="dimmed" lineClamp={2} hiddenFrom="md">
          {entry.note}
        </Text>
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
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${shownOf(entry)}`}
              onClick={() => onRemove([entry])}
            >
              <Icon name="cross" size={15} />
            </ActionIcon>
          </Tooltip>
        </Table.Td>
      )}
    </Table.Tr>
  );
});

/** Asks, then removes. An address can't be read back from its rule, so that it would have to be typed again. */
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
  const api = useApi();
  const { id } = useOrganisation();
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
      title={plural(entries.length, 'Remove this rule?', 'Remove these rules?')}
      action="Remove"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={() => {
        remove.reset();
        onDone(false);
      }}
    >
      {side === 'block' ? (
        <>
          <b>{what}</b> will no longer be blocked, from the next request on.
        </>
      ) : (
        <>
          <b>{what}</b> will no longer be allowed, from the next request on.
        </>
      )}{' '}
      {kind === 'address' && 'Only a hash of an address is kept: to add it again, you need the whole address.'}
    </Confirm>
  );
}

/** One of the four lists. */
export function RuleList({ onAdd }: { readonly onAdd: () => void }) {
  const api = useApi();
  const { id, role } = useOrganisation();
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
        </Group>
        <Loaded query={query} lines={6}>
          {() => (
            <Stack gap="sm">
              {entries.length === 0 && q !== undefined && (
                <Empty
                  title={kind === 'domain' ? `No domain rule has “${q}”` : `No address rule has “${q}”`}
                  action={
                    <Button variant="default" size="xs" onClick={() => change({ q: undefined }, true)}>
                      Clear the search
                    </Button>
                  }
                >
                  Domains, masked addresses and notes are searched.
                </Empty>
              )}
              {entries.length === 0 && q === undefined && (
                <Empty
                  title={NONE_YET[kind][side]}
                  {...(mayChange && {
                    action: (
                      <Button variant="default" size="xs" onClick={onAdd}>
                        Add rules
                      </Button>
                    ),
                  })}
                >
                  {side === 'block'
                    ? 'A block rule ends every check with “invalid” before any provider is asked. It costs nothing.'
                    : 'An allow rule sets the lists of disposable domains aside. Of an address, it sets domain blocks aside too.'}
                </Empty>
              )}
              {entries.length > 0 && (
                <>
                  <Group justify="space-between" mih={30}>
                    <Text size="sm" c="dimmed" className="numbers" aria-live="polite">
                      {selected.size > 0 ? `${formatCount(selected.size)} selected` : entriesText(kind, count)}
                    </Text>
                    {selected.size > 0 && (
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => setRemoving(entries.filter((entry) => selected.has(entry.id)))}
                      >
                        Remove
                      </Button>
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
