import { Anchor, Box, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf } from '../../api/client.ts';
import type { TraceList } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';

const SHOWN = 6;
const READ = 200;

type Row = TraceList['traces'][number];

function Lines({ title, traces }: { readonly title: string; readonly traces: readonly Row[] }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {traces.slice(0, SHOWN).map((trace) => (
        <Line key={trace.trace_id} trace={trace} />
      ))}
    </Stack>
  );
}

function Line({ trace }: { readonly trace: Row }) {
  const { id } = useOrganisation();
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Anchor
        size="sm"
        truncate
        renderRoot={(props) => (
          <Link
            to="/$organisation/log"
            params={{ organisation: id }}
            search={{ trace: trace.trace_id } as never}
            {...props}
          />
        )}
      >
        {trace.display}
      </Anchor>
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" className="numbers" w={56} ta="right">
          {formatEstimate(trace.bounce_probability)}
        </Text>
        <Box w={100}>
          <Mark term={trace.recommendation} />
        </Box>
        <Text size="xs" c="dimmed" w={80} visibleFrom="sm">
          <Time at={trace.created_at} />
        </Text>
      </Group>
    </Group>
  );
}

/** The newest verifications, beside those that went without a provider though one was asked. */
export function Recent() {
  const { id } = useOrganisation();
  const api = useApi();
  const query = useQuery({
    queryKey: [id, 'traces', 'newest'],
    queryFn: () => answerOf(api.GET('/v1/traces', { params: { query: { limit: READ } } })),
  });
  return (
    <Section title="Recent">
      <Loaded query={query} lines={6}>
        {({ traces }) => {
          if (traces.length === 0) return <Empty title="Nothing yet">Verifications show here as they happen.</Empty>;
          const degraded = traces.filter((trace) => trace.degraded);
          return (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
              <Lines title="Newest" traces={traces} />
              {degraded.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No provider failures in the last {formatCount(traces.length)} verifications.
                </Text>
              ) : (
                <Lines
                  title={`Degraded, ${formatShare(degraded.length / traces.length)} of the last ${formatCount(traces.length)}`}
                  traces={degraded}
                />
              )}
            </SimpleGrid>
          );
        }}
      </Loaded>
    </Section>
  );
}
