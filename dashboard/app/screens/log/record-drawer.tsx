import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import { traceQuery } from '../../api/queries.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { ScreeningView } from './screening-view.tsx';
import { TraceView } from './trace-view.tsx';

interface RecordDrawerProps {
  /** Id of a judgement or a screening; null when none is open. */
  readonly id: string | null;
  readonly isScreening: boolean;
  readonly onClose: () => void;
}

/**
 * One record beside the list, whose rows switch it. It takes the focus, so that the keyboard reads it; Escape closes it, and its
 * owner gives the focus back.
 */
export function RecordDrawer({ id, isScreening, onClose }: RecordDrawerProps) {
  const isPhone = useMediaQuery('(max-width: 48em)');
  return (
    <Drawer
      opened={id !== null}
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
      {id !== null && (isScreening ? <Screening id={id} /> : <Judgement id={id} />)}
    </Drawer>
  );
}

function Judgement({ id }: { readonly id: string }) {
  const organisation = useOrganisation();
  const query = useQuery(traceQuery(organisation.id, id));
  return (
    <Loaded query={query} lines={10}>
      {(trace) => <TraceView key={id} trace={trace} />}
    </Loaded>
  );
}

function Screening({ id }: { readonly id: string }) {
  const { api, id: organisationId } = useOrganisation();
  const query = useQuery({
    queryKey: [organisationId, 'screening', id],
    queryFn: () => answerOf(api.GET('/v1/screenings/{trace_id}', { params: { path: { trace_id: id } } })),
  });
  return (
    <Loaded query={query} lines={6}>
      {({ screening }) => <ScreeningView record={screening} />}
    </Loaded>
  );
}
