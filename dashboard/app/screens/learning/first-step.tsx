import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
    ? t`They are counted each night; the first is to come.`
    : t`The last nightly run counted ${plural(outcomes, { one: '# usable outcome', other: '# usable outcomes' })}, among them ${plural(bounces, { one: '# hard bounce', other: '# hard bounces' })}.`;

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
      <Trans>
        <To screen="/$organisation/connections">Connect a mail service</To>, or report outcomes: by API, or one by one
        at a record of <To screen="/$organisation/log">the log</To>. Deliveries count as well as bounces.
      </Trans>
    );
  if (roleAllows(role, 'member'))
    return (
      <Trans>
        Have an admin connect a mail service, or report outcomes: by API, or one by one at a record of{' '}
        <To screen="/$organisation/log">the log</To>. Deliveries count as well as bounces.
      </Trans>
    );
  return (
    <Trans>
      Have an admin connect a mail service, or report outcomes: by API. Deliveries count as well as bounces.
    </Trans>
  );
}

/** What to do before there is anything to learn from. It goes once outcomes move the numbers. */
export function FirstStep() {
  const { id, role } = useOrganisation();
  const report = useQuery(calibrationQuery(useApi(), id)).data;
  if (report === undefined || report.state === 'fitted') return null;
  return (
    <Alert variant="light" color="blue" title={t`First, let outcomes come in`}>
      <Stack gap={4}>
        <Text size="sm">
          <Ways role={role} />
        </Text>
        <Text size="sm">
          <Trans>Each report moves the number of its address and of its neighbours at once.</Trans> {soFarText(report)}
        </Text>
        <Text size="sm">
          <Trans>Segments and recommendations come from the events that your server sends by API.</Trans>
        </Text>
      </Stack>
    </Alert>
  );
}
