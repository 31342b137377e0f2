import { Box, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { answerOf } from '../../api/client.ts';
import { traceQuery } from '../../api/queries.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { ScreeningView } from './screening-view.tsx';
import { useOpened } from './search.ts';
import { TraceView } from './trace-view.tsx';

/** Deferred: the row repaints first, the drawer after it. */
const useShown = () => useDeferredValue(useOpened());

/** The screen, with room for the open record. */
export const BesideRecord = ({ children }: { readonly children: ReactNode }) => (
  <div {...(useShown() !== undefined && { className: 'beside-drawer' })}>{children}</div>
);

interface RecordProps {
  /** The id of a judgement or a screening. */
  readonly id: string;
}

interface RecordDrawerProps {
  readonly isScreening: boolean;
  readonly onClose: () => void;
}

/**
 * One record beside the list, whose rows switch it. It takes the focus, so that the keyboard reads it; Escape closes it, and its
 * owner gives the focus back.
 */
export function RecordDrawer({ isScreening, onClose }: RecordDrawerProps) {
  const id = useShown();
  const isPhone = useMediaQuery('(max-width: 48em)');
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      title={isScreening ? 'Screening' : 'Verification'}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92%' : 'var(--drawer)'}
      withOverlay={isPhone}
      lockScroll={isPhone}
      closeOnClickOutside={isPhone}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      shadow="lg"
    >
      {id !== undefined && (isScreening ? <Screening id={id} /> : <Judgement id={id} />)}
    </Drawer>
  );
}

function Judgement({ id }: RecordProps) {
  const organisation = useOrganisation();
  const query = useQuery({ ...traceQuery(organisation.id, id), placeholderData: keepPreviousData });
  return <Shown query={query}>{(trace) => <TraceView trace={trace} />}</Shown>;
}

function Screening({ id }: RecordProps) {
  const { api, id: organisationId } = useOrganisation();
  const query = useQuery({
    queryKey: [organisationId, 'screening', id],
    queryFn: () => answerOf(api.GET('/v1/screenings/{trace_id}', { params: { path: { trace_id: id } } })),
    placeholderData: keepPreviousData,
  });
  return <Shown query={query}>{({ screening }) => <ScreeningView record={screening} />}</Shown>;
}

/** The previous record stays, dimmed and out of reach, until the next one is loaded: J and K change what differs. */
const Shown = <T,>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly children: (record: T) => ReactNode;
}) => (
  <Box opacity={query.isPlaceholderData ? 0.5 : 1} aria-busy={query.isPlaceholderData} inert={query.isPlaceholderData}>
    <Loaded query={query} lines={8}>
      {children}
    </Loaded>
  </Box>
);
