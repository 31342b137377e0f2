import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useFilters, useTypedFilter } from '../lib/filters.ts';
import { label } from '../lib/vocabulary.ts';
import { Icon } from './icons.tsx';
import { Empty } from './notices.tsx';
import { QuietButton } from './text.tsx';

export interface ListFilter {
  readonly name: string;
  readonly title: string;
  /** Plain values take their label from the vocabulary. */
  readonly values: readonly (string | { readonly value: string; readonly label: string })[];
}

const optionOf = (value: ListFilter['values'][number]) =>
  typeof value === 'string' ? { value, label: label(value) } : { value: value.value, label: value.label };

/** Filters of a list, stored in the URL. Each choice is a step of the history. */
export function ListFilters({ filters }: { readonly filters: readonly ListFilter[] }) {
  const [search, change] = useFilters();
  return (
    <Group gap="sm" mb="md" align="flex-end">
      {filters.map(({ name, title, values }) => {
        const options = values.map(optionOf);
        const value = search[name] ?? '';
        return (
          <NativeSelect
            key={name}
            label={title}
            size="xs"
            data={[{ value: '', label: 'Any' }, ...options]}
            value={options.some((option) => option.value === value) ? value : ''}
            onChange={({ currentTarget }) => change({ [name]: currentTarget.value || undefined }, true)}
          />
        );
      })}
    </Group>
  );
}

/** Shown when the filters leave no row. */
export function NothingFits({ names }: { readonly names: readonly string[] }) {
  const [, change] = useFilters();
  return (
    <Empty
      title="No results"
      action={
        <QuietButton onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])), true)}>
          Clear filters
        </QuietButton>
      }
    >
      No rows match these filters.
    </Empty>
  );
}

const TEXT_MAX = 100;

/** Searches a list that is loaded whole. The text is stored in the URL. */
export function ListSearch({ title, placeholder }: { readonly title: string; readonly placeholder: string }) {
  const [typed, type] = useTypedFilter('q');
  return (
    <TextInput
      aria-label={title}
      placeholder={placeholder}
      maxLength={TEXT_MAX}
      leftSection={<Icon name="search" size={15} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
