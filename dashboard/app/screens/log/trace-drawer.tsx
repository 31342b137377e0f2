import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { TraceView } from './trace-view.tsx';

/**
 * One record beside the list, whose rows switch it. It takes the focus, so that the keyboard reads it; Escape closes it, and its
 * owner gives the focus back.
 */
export function TraceDrawer({ id, onClose }: { readonly id: string | null; readonly onClose: () => void }) {
  const organisation = useOrganisation();
  const api = useApi();
  const isPhone = useMediaQuery('(max-width: 48em)');
  const query = useQuery({
    queryKey: [organisation.id, 'trace', id],
    queryFn: () => answerOf(api.GET('/v1/traces/{trace_id}', { params: { path: { trace_id: id ?? '' } } })),
    enabled: id !== null,
  });
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      title="One judgement"
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92%' : 'var(--drawer)'}
      withOverlay={isPhone}
      lockScroll={isPhone}
      closeOnClickOutside={isPhone}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      shadow="lg"
    >
      {id !== null && (
        <Loaded query={query} lines={10}>
          {({ trace }) => <TraceView trace={trace} />}
        </Loaded>
      )}
    </Drawer>
  );
}
