import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TraceList } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Facts } from '../../parts/facts.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { newestQuery } from './queries.ts';

const SHOWN = 6;
const ERRORS_SHOWN = 4;

type Row = TraceList['traces'][number];

const Newest = ({ traces }: { readonly traces: readonly Row[] }) => (
  <Stack gap={6}>
    {traces.map((trace) => (
      <Line key={trace.trace_id} trace={trace} />
    ))}
  </Stack>
);

/** Judgements that went without a provider though one was asked. */
function Errors({ traces }: { readonly traces: readonly Row[] }) {
  const degraded = traces.filter((trace) => trace.degraded);
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        Recent errors
      </Title>
      {degraded.length === 0 ? (
        <Text size="sm" c="dimmed">
          In the newest {formatCount(traces.length)}, a provider answered wherever one was asked.
        </Text>
      ) : (
        <Newest traces={degraded.slice(0, ERRORS_SHOWN)} />
      )}
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
        <Text size="sm" className="numbers" w={64} ta="right">
          {formatEstimate(trace.bounce_probability)}
        </Text>
        <Box w={104}>
          <Mark term={trace.recommendation} />
        </Box>
        <Text size="xs" c="dimmed" w={88} visibleFrom="sm">
          <Time at={trace.created_at} />
        </Text>
      </Group>
    </Group>
  );
}

/** The newest judgements, and how many of the last ones lacked a provider. */
export function Recent() {
  const organisation = useOrganisation();
  const api = useApi();
  const query = useQuery(newestQuery(api, organisation.id));
  return (
    <Section title="Lately">
      <Loaded query={query} lines={6}>
        {({ traces }) => {
          if (traces.length === 0) return <Empty title="Nothing yet">What is asked shows here at once.</Empty>;
          const share = (isMeant: (trace: (typeof traces)[number]) => boolean) =>
            formatShare(traces.filter(isMeant).length / traces.length);
          return (
            <Stack>
              <Facts
                facts={[
                  { name: `Degraded, of ${formatCount(traces.length)}`, value: share(({ degraded }) => degraded) },
                  { name: 'Dropped', value: share(({ recommendation }) => recommendation === 'drop') },
                  { name: 'Known already', value: share(({ cache_hit: isHit }) => isHit) },
                ]}
              />
              <Newest traces={traces.slice(0, SHOWN)} />
              <Errors traces={traces} />
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}
