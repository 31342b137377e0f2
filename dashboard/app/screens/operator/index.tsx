import { Alert, Box, Button, Code, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ServiceStatus } from '../../api/operations.ts';
import { formatAgo, formatCount } from '../../lib/format.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Nights } from './nights.tsx';
import { Organisations } from './organisations.tsx';
import { Providers } from './providers.tsx';
import { operationsQuery } from './queries.ts';

/** How the service does, for the people who run it. It shows, and changes nothing. */
export default function Operator() {
  const query = useQuery(operationsQuery);
  return (
    <Box component="main" maw={1200} mx="auto" p={{ base: 'md', sm: 'xl' }}>
      <Page
        title="Operator"
        description="Service health across all organisations."
        action={
          <Group gap="xs">
            <Button variant="default" onClick={() => void query.refetch()} loading={query.isFetching}>
              Refresh
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
              Go to the dashboard
            </Button>
          </Group>
        }
      >
        <Loaded query={query} lines={12}>
          {({ status, directory }) => (
            <Stack gap="lg">
              <Text size="sm" c="dimmed">
                Read <Time at={query.dataUpdatedAt / 1000} />
              </Text>
              <Faults status={status} />
              <Totals status={status} />
              <Organisations status={status} directory={directory} />
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                <Providers providers={status.providers} />
                <DeadLetters letters={status.dead_letters} />
              </SimpleGrid>
              <Nights steps={status.cron} />
            </Stack>
          )}
        </Loaded>
      </Page>
    </Box>
  );
}

/** What keeps the service from its whole work, and what of this page is missing. */
function Faults({ status: { settings, unread } }: { readonly status: ServiceStatus }) {
  return (
    <>
      {settings.length > 0 && (
        <Alert color="red" variant="light" title="Invalid settings">
          <List size="sm">
            {settings.map(({ setting, problem, off }) => (
              <List.Item key={`${setting} ${problem}`}>
                <Code>{setting}</Code> {problem}: {off}.
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {unread.length > 0 && (
        <Alert color="yellow" variant="light" title="Some data couldn’t be read">
          {unread.join('; ')}.
        </Alert>
      )}
    </>
  );
}

function Totals({ status: { totals } }: { readonly status: ServiceStatus }) {
  const { outbox_age_s: age } = totals;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <FigureCard
        name="Organisations"
        value={formatCount(totals.organisations)}
        note={unreachableText(totals.unreachable)}
      />
      <FigureCard
        name="Outbox rows"
        value={formatCount(totals.outbox_rows)}
        note={age === null ? 'none waits' : `the oldest: ${formatAgo(age)}`}
        isBad={(age ?? 0) > OLD_S}
      />
      <FigureCard
        name="Rejected rows"
        value={formatCount(totals.outbox_dead)}
        note="by Postgres, ever"
        isBad={totals.outbox_dead > 0}
      />
      <FigureCard name="Erasures open" value={formatCount(totals.erasures)} note="addresses to be cut off" />
      <FigureCard
        name="Failed jobs"
        value={formatCount(totals.jobs_failed)}
        note="on our side, ever"
        isBad={totals.jobs_failed > 0}
      />
      <FigureCard
        name="Dead letters"
        value={formatCount(totals.dead_letters)}
        note="in 14 days"
        isBad={totals.dead_letters > 0}
      />
    </SimpleGrid>
  );
}

/** A row that waits longer shows that Postgres is away for its object. */
const OLD_S = 300;

const unreachableText = (count: number): string =>
  count === 0 ? 'all answered' : `${formatCount(count)} did not answer`;

function DeadLetters({ letters }: { readonly letters: ServiceStatus['dead_letters'] }) {
  return (
    <Section title="Dead letters" note="Messages that failed in the last 14 days. Most are retried automatically.">
      {letters.length === 0 ? (
        <Empty title="No dead letters">All messages were processed.</Empty>
      ) : (
        <Stack gap="md">
          {letters.map(({ queue, count, newest_age_s: age, newest }) => (
            <div key={queue}>
              <Group justify="space-between" gap="xs">
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {queue}
                </Text>
                <Text size="sm" className="numbers">
                  {formatCount(count)}, the newest {formatAgo(age)}
                </Text>
              </Group>
              <Code block mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {newest}
              </Code>
            </div>
          ))}
        </Stack>
      )}
    </Section>
  );
}
