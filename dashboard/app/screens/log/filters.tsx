import { ActionIcon, Button, Group, Indicator, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import { formatList } from '../../lib/format.ts';
import { timeText } from '../../lib/period.ts';
import { label } from '../../lib/vocabulary.ts';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { RangePicker } from '../../parts/range.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { choicesOf, FILTER_LABELS, FILTERS, type FilterName, filtersOf, type LogSearch, leftOut } from './search.ts';

type Change = (changed: Partial<Record<FilterName, string | undefined>>) => void;

interface FiltersProps {
  readonly search: LogSearch;
  readonly onChange: Change;
}

export const FilterForm = memo(function FilterForm({ search, onChange }: FiltersProps) {
  const filters = filtersOf(search);
  const { time, ...others } = filters;
  const count = Object.keys(others).length;
  return (
    <Group gap="xs">
      <RangePicker value={time} onChange={(value) => onChange({ time: value })} />
      <Popover position="bottom-start" withinPortal trapFocus shadow="md" width={300}>
        <Indicator label={count} size={18} disabled={count === 0}>
          <Popover.Target>
            <Button variant="default" leftSection={<Icon name="policy" size={16} />}>
              Filters
            </Button>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown>
          <Stack gap="xs">
            {choicesOf(search).map(({ name, label: title, values }) => (
              <NativeSelect
                key={name}
                label={title}
                size="xs"
                data={[{ value: '', label: 'Any' }, ...values.map((value) => ({ value, label: label(value) }))]}
                value={filters[name] ?? ''}
                onChange={({ currentTarget: { value } }) => onChange({ [name]: value || undefined })}
              />
            ))}
            <DomainFilter
              key={filters.domain}
              value={filters.domain ?? ''}
              onChange={(domain) => onChange({ domain: domain || undefined })}
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
});

/** Applies on Enter or blur, not on each letter. */
function DomainFilter({ value, onChange }: { readonly value: string; readonly onChange: (domain: string) => void }) {
  const [typed, setTyped] = useState(value);
  const apply = () => {
    const domain = typed.trim().toLowerCase();
    if (domain !== value) onChange(domain);
  };
  return (
    <Form onSubmit={() => apply()}>
      <TextInput
        label="Domain"
        placeholder="example.com"
        size="xs"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
      />
    </Form>
  );
}

const valueText = (name: FilterName, value: string): string => {
  if (name === 'time') return timeText(value);
  if (name === 'domain') return value;
  return name === 'bulk_job_id' || name === 'key_id' ? `…${value.slice(-6)}` : label(value);
};

/** Notes on filters that the rows do not follow, or that need explaining. */
export function FilterNote({ search }: { readonly search: LogSearch }) {
  const unknown = leftOut(search);
  return (
    <>
      {unknown.length > 0 && (
        <Text size="sm" mb="sm" style={{ overflowWrap: 'anywhere' }}>
          The page’s address also asks for {formatList(unknown)}. No filter of this list takes that: the rows do not
          follow it.
        </Text>
      )}
      {filtersOf(search).decision !== undefined && (
        <Dimmed mb="sm">Every row that a policy decided so: calls of decide, and rows of lists.</Dimmed>
      )}
    </>
  );
}

export function FilterChips({ search, onChange }: FiltersProps) {
  const set = Object.entries(filtersOf(search)) as [FilterName, string][];
  if (set.length === 0) return null;
  return (
    <Group gap="xs" mb="sm" component="ul" m={0} p={0} className="plain-list">
      {set.map(([name, value]) => (
        <Group key={name} component="li" gap={2} wrap="nowrap" className="chip">
          <Text size="xs">
            {FILTER_LABELS[name]}: <b>{valueText(name, value)}</b>
          </Text>
          <ActionIcon
            size="xs"
            aria-label={`Remove the filter ${FILTER_LABELS[name]}`}
            onClick={() => onChange({ [name]: undefined })}
          >
            <Icon name="cross" size={12} />
          </ActionIcon>
        </Group>
      ))}
      {set.length > 1 && (
        <li>
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
          >
            Clear filters
          </Button>
        </li>
      )}
    </Group>
  );
}
