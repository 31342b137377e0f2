import { plural } from '../../lib/format.ts';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CalibrationReport } from '../../api/schema.ts';
import type { Role } from '../../api/session.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { calibrationQuery } from './queries.ts';

/** What has come in so far. */
const soFarText = ({ computed_at: countedAt, outcomes, hard_bounces: bounces }: CalibrationReport): string =>
  countedAt === null
    ? 'They are counted each night; the first is to come.'
    : `The last nightly run counted ${plural(outcomes, '# usable outcome', '# usable outcomes')}, among them ${plural(bounces, '# hard bounce', '# hard bounces')}.`;

interface ToProps {
  readonly screen: '/$organisation/connections' | '/$organisation/log';
  readonly children: ReactNode;
}

const To = ({ screen, children }: ToProps) => {
  const { id } = useOrganisation();
  return (
    <Anchor inherit renderRoot={(props) => <Link to={screen} params={{ organisation: id }} {...props} />}>
      {children}
    </Anchor>
  );
};

/** How outcomes may come in, as far as the person's role goes. */
function Ways({ role }: { readonly role: Role }) {
  if (roleAllows(role, 'admin'))
    return (
      <>
        <To screen="/$organisation/connections">Connect a mail service</To>, or report outcomes: by API, or one by one
        at a record of <To screen="/$organisation/log">the log</To>. Deliveries count as well as bounces.
      </>
    );
  if (roleAllows(role, 'member'))
    return (
      <>
        Have an admin connect a mail service, or report outcomes: by API, or one by one at a record of{' '}
        <To screen="/$organisation/log">the log</To>. Deliveries count as well as bounces.
      </>
    );
  return 'Have an admin connect a mail service, or report outcomes: by API. Deliveries count as well as bounces.';
}

/** What to do before there is anything to learn from. It goes once outcomes move the numbers. */
export function FirstStep() {
  const { id, role } = useOrganisation();
  const report = useQuery(calibrationQuery(useApi(), id)).data;
  if (report === undefined || report.state === 'fitted') return null;
  return (
    <Alert variant="light" color="blue" title="First, let outcomes come in">
      <Stack gap={4}>
        <Text size="sm">
          <Ways role={role} />
        </Text>
        <Text size="sm">
          Each report moves the number of its address and of its neighbours at once. {soFarText(report)}
        </Text>
        <Text size="sm">Segments and recommendations come from the events that your server sends by API.</Text>
      </Stack>
    </Alert>
  );
}
