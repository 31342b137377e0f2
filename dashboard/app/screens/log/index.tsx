import { Group, SegmentedControl } from '@mantine/core';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useState } from 'react';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Page, Section } from '../../parts/page.tsx';
import { LogChart } from './chart.tsx';
import { LogExport } from './export.tsx';
import { FilterChips, FilterForm, FilterNote } from './filters.tsx';
import { BesideRecord, RecordDrawer } from './record-drawer.tsx';
import { rowOf } from './record-rows.tsx';
import { FindAddress, Screenings } from './screenings.tsx';
import { type FilterName, filtersOf, type LogSearch, uncountedText } from './search.ts';
import { FoundTraces, Traces } from './traces.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Steps back to the log without a record. Absent if the page opened with one. */
    readonly records?: number;
  }
}

/** Opening a record does not change this, so filters and frame are not rendered again. */
const withoutRecord = ({ trace: _, ...rest }: LogSearch): LogSearch => rest;

/** All verifications and screenings. Filters and the open record are in the URL. */
export default function Log() {
  const search = useSearch({ strict: false, select: withoutRecord, structuralSharing: true });
  /** Deferred: filters repaint first, the list after them. */
  const listed = useDeferredValue(search);
  const navigate = useNavigate();
  const router = useRouter();
  const { role } = useOrganisation();
  /** The email address searched for. It is in no URL. */
  const [email, setEmail] = useState<string | null>(null);
  const change = useCallback(
    (changed: Partial<Record<FilterName | 'view' | 'trace', string | undefined>>, replace = false) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace, resetScroll: false }),
    [navigate],
  );
  const open = useCallback(
    (trace: string | undefined, replace: boolean) => {
      const { search: before, state } = router.latestLocation;
      const isFirst = (before as LogSearch).trace === undefined;
      const records = isFirst ? 1 : state.records && state.records + (replace ? 0 : 1);
      void navigate({
        to: '.',
        search: (all) => ({ ...all, trace }),
        state: records === undefined ? {} : { records },
        replace,
        resetScroll: false,
      });
    },
    [navigate, router],
  );
  const chooseTime = useCallback((time: string) => change({ time }), [change]);
  /** Focuses the last record's row, and removes the opened records from the history. */
  const close = () => {
    const { search: before, state } = router.latestLocation;
    const row = document.getElementById(rowOf((before as LogSearch).trace ?? '')) ?? document.getElementById('main');
    row?.focus();
    if (state.records === undefined) {
      change({ trace: undefined }, true);
      return;
    }
    // Going back would restore the scroll position of the first record.
    const { scrollX, scrollY } = window;
    const stop = router.subscribe('onRendered', () => {
      stop();
      window.scrollTo(scrollX, scrollY);
    });
    router.history.go(-state.records);
  };
  const isTraces = search.view !== 'screenings';
  const filters = filtersOf(listed);
  const listsTraces = listed.view !== 'screenings';
  return (
    <BesideRecord>
      <Page title="Log" description="Every verification and screening of the last 400 days.">
        <Section>
          <Group gap="sm" mb="md" justify="space-between">
            <Group gap="sm" flex={1}>
              <SegmentedControl
                aria-label="Show"
                data={[
                  { value: 'traces', label: 'Verifications' },
                  { value: 'screenings', label: 'Screenings' },
                ]}
                value={isTraces ? 'traces' : 'screenings'}
                onChange={(value) => change({ view: value === 'traces' ? undefined : value, trace: undefined })}
              />
              {isTraces && roleAllows(role, 'admin') && (
                <FindAddress asked={email} onAsk={setEmail} onOpen={open} onDomain={(domain) => change({ domain })} />
              )}
            </Group>
            {(email === null || !isTraces) && (
              <Group gap="xs">
                <FilterForm search={search} onChange={change} />
                <LogExport search={listed} />
              </Group>
            )}
          </Group>
          {isTraces && email !== null ? (
            <FoundTraces email={email} onOpen={open} />
          ) : (
            <>
              {listsTraces && (
                <LogChart
                  time={filters.time}
                  kind={filters.kind}
                  decision={filters.decision}
                  recommendation={filters.recommendation}
                  key_id={filters.key_id}
                  uncounted={uncountedText(filters)}
                  onChoose={chooseTime}
                />
              )}
              <FilterChips search={search} onChange={change} />
              <FilterNote search={search} />
              {listsTraces ? <Traces search={listed} onOpen={open} /> : <Screenings search={listed} onOpen={open} />}
            </>
          )}
        </Section>
        <RecordDrawer isScreening={!listsTraces} onClose={close} />
      </Page>
    </BesideRecord>
  );
}
