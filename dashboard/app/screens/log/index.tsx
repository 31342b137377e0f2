import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { label } from '../../lib/vocabulary.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Screenings } from './screenings.tsx';
import { CHOICES, FILTERS, type FilterName, filtersOf, type LogSearch } from './search.ts';
import { TraceDrawer } from './trace-drawer.tsx';
import { Traces } from './traces.tsx';

/** Every judgement of the account, newest first. Filters and the open record stand in the page's address. */
export default function Log() {
  const search = useSearch({ strict: false }) as LogSearch;
  const navigate = useNavigate();
  const change = (changed: Partial<Record<FilterName | 'view' | 'trace', string | undefined>>, replace = false) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace });
  const isFiltered = Object.keys(filtersOf(search)).length > 0;
  const isTraces = search.view !== 'screenings';
  return (
    <Page
      title="Log"
      description="What was asked and what was answered, without the addresses. Kept 400 days; the replay of one, 90."
    >
      <Section>
        <Group gap="sm" mb="md" align="flex-end">
          <SegmentedControl
            aria-label="What is listed"
            data={[
              { value: 'traces', label: 'Verifications' },
              { value: 'screenings', label: 'Screenings' },
            ]}
            value={isTraces ? 'traces' : 'screenings'}
            onChange={(value) => change({ view: value === 'traces' ? undefined : value, trace: undefined })}
          />
          {isTraces &&
            CHOICES.map(({ name, label: title, values }) => (
              <Select
                key={name}
                aria-label={title}
                placeholder={title}
                w={150}
                clearable
                data={values.map((value) => ({ value, label: label(value) }))}
                value={search[name] ?? null}
                onChange={(value) => change({ [name]: value ?? undefined })}
              />
            ))}
          {isTraces && (
            <DomainFilter value={search.domain ?? ''} onChange={(domain) => change({ domain: domain || undefined })} />
          )}
          {isFiltered && (
            <Button
              variant="subtle"
              size="sm"
              onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
            >
              Clear filters
            </Button>
          )}
        </Group>
        {isTraces ? (
          <Traces search={search} isFiltered={isFiltered} onOpen={(trace, replace) => change({ trace }, replace)} />
        ) : (
          <Screenings />
        )}
      </Section>
      <TraceDrawer id={search.trace ?? null} onClose={() => change({ trace: undefined })} />
    </Page>
  );
}

/** Sent with Enter, or on leaving the field: not at every letter. */
function DomainFilter({ value, onChange }: { readonly value: string; readonly onChange: (domain: string) => void }) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim().toLowerCase());
      }}
    >
      <TextInput
        aria-label="Domain"
        placeholder="Domain"
        w={170}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => typed.trim().toLowerCase() !== value && onChange(typed.trim().toLowerCase())}
      />
    </form>
  );
}
