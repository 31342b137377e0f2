import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CalibrationReport } from '../../api/schema.ts';
import { formatForm, formatList } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { calibrationQuery } from './queries.ts';

const USABLE = { one: '# usable outcome', other: '# usable outcomes' };
const OUTCOMES = { one: '# outcome', other: '# outcomes' };
const BOUNCES = { one: '# hard bounce', other: '# hard bounces' };

/** How far it is to a model of the account's own. */
function farText({ computed_at: countedAt, outcomes, hard_bounces: bounces, missing }: CalibrationReport): string {
  const soFar =
    countedAt === null
      ? 'They are counted each night; the first is to come.'
      : `The last nightly run counted ${formatForm(outcomes, USABLE)}, among them ${formatForm(bounces, BOUNCES)}.`;
  const start = [
    missing.outcomes > 0 && formatForm(outcomes + missing.outcomes, OUTCOMES),
    missing.hard_bounces > 0 && formatForm(bounces + missing.hard_bounces, BOUNCES),
  ].filter((part) => part !== false);
  return `${soFar} The fit starts at ${formatList(start)}.`;
}

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

/** What to do before there is anything to learn from. It goes once a fit has enough. */
export function FirstStep() {
  const { id, role } = useOrganisation();
  const report = useQuery(calibrationQuery(useApi(), id)).data;
  if (report === undefined || report.state === 'fitted') return null;
  if (report.missing.outcomes === 0 && report.missing.hard_bounces === 0) return null;
  return (
    <Alert variant="light" color="blue" title="First, let outcomes come in">
      <Stack gap={4}>
        <Text size="sm">
          {roleAllows(role, 'admin') ? (
            <To screen="/$organisation/connections">Connect a mail service</To>
          ) : (
            'Have an admin connect a mail service'
          )}
          , or report outcomes: by API
          {roleAllows(role, 'member') && (
            <>
              , or one by one at a record of <To screen="/$organisation/log">the log</To>
            </>
          )}
          . Deliveries count as well as bounces.
        </Text>
        <Text size="sm">{farText(report)}</Text>
        <Text size="sm">Segments and recommendations come from the events that your server sends by API.</Text>
      </Stack>
    </Alert>
  );
}
