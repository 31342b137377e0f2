import { Box, Grid, Group, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CalibrationReport } from '../../api/schema.ts';
import { isHeld } from '../../charts/held.ts';
import { LossBars } from '../../charts/loss-bars.tsx';
import { LossNights } from '../../charts/loss-nights.tsx';
import { Reliability } from '../../charts/reliability.tsx';
import { formatCount, formatDistance, formatRate, formatShare, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Time } from '../../parts/time.tsx';
import { SERVICES } from '../connections/services.ts';
import { calibrationQuery } from './queries.ts';
import { RoutingWorth } from './routing.tsx';
import { Unread } from './unread.tsx';
import { verdictOf } from './verdict.ts';

/** What the numbers come from. */
const stateInWords = ({ state }: CalibrationReport): string =>
  state === 'fitted'
    ? 'Your own outcomes move the numbers.'
    : 'The numbers come from the tables that every account begins with.';

/** Whether the numbers hold, and what they come from. */
function Standing({ report }: { readonly report: CalibrationReport }) {
  const verdict = verdictOf(report);
  const isGood = verdict === null ? report.state === 'fitted' : verdict.isGood;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text component="span" lh={0} mt={2} c={isGood ? 'var(--mark-good)' : 'var(--mark-wait)'}>
        <Icon name={isGood ? 'check' : verdict === null ? 'pause' : 'warning'} />
      </Text>
      <div>
        {verdict !== null && (
          <Text size="sm" fw={500}>
            {verdict.text}
          </Text>
        )}
        <Text size="sm" {...(verdict === null ? { fw: 500 } : { c: 'dimmed' })}>
          {stateInWords(report)}
        </Text>
      </div>
    </Group>
  );
}

/** How far the numbers are off, over all groups: in a sentence that one may act on. */
function inAll(bins: CalibrationReport['bins']): string {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const mean = (of: (bin: CalibrationReport['bins'][number]) => number): number =>
    bins.reduce((sum, bin) => sum + bin.count * of(bin), 0) / total;
  const off = mean(({ predicted, observed }) => Math.abs(predicted - observed));
  return `Of ${formatCount(total)} addresses ${formatRate(mean(({ predicted }) => predicted))} were expected to bounce, and ${formatRate(mean(({ observed }) => observed))} did. A number is off by ${formatDistance(off)} on average.`;
}

function HowToRead({ report }: { readonly report: CalibrationReport }) {
  const off = report.bins.filter((bin) => !isHeld(bin));
  const [worst] = off.toSorted((one, other) => other.count - one.count);
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        How to read it
      </Title>
      <Text size="sm" fw={500}>
        {inAll(report.bins)}
      </Text>
      <Text size="sm">
        On the dashed line, a number means what it says: of 100 addresses with 5 %, five bounce. Above the line more
        bounce than predicted, below it fewer.
      </Text>
      <Text size="sm">
        {worst === undefined
          ? 'Every group’s bar reaches the line. You can take the numbers at their word.'
          : `${plural(off.length, `# of ${report.bins.length} groups misses`, `# of ${report.bins.length} groups miss`)} the line (open squares). The one with most addresses: predicted ${formatRate(worst.predicted)}, bounced ${formatRate(worst.observed)} of ${formatCount(worst.count)}.`}
      </Text>
    </Stack>
  );
}

function Loss({ report: { log_loss: loss, log_loss_nights: nights = [] } }: { readonly report: CalibrationReport }) {
  const bars = [
    loss.prior !== null && { name: 'The tables alone', loss: loss.prior },
    loss.fitted !== null && { name: 'The numbers as you got them', loss: loss.fitted },
  ].filter((bar) => bar !== false);
  if (bars.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        What your outcomes gain
      </Title>
      <LossBars bars={bars} />
      {nights.length > 1 && (
        <LossNights
          nights={nights.map(({ computed_at: at, prior, fitted }) => ({ at, table: prior, model: fitted }))}
        />
      )}
    </Stack>
  );
}

const SOURCES: Readonly<Record<string, string>> = { api: 'Reported by API', import: 'Imported' };

const sourceName = ({ source, kind }: CalibrationReport['sources'][number]): string => {
  const service = Object.entries(SERVICES).find(([each]) => each === kind)?.[1].name;
  return service ?? SOURCES[source] ?? 'A connection that was deleted';
};

/** Where outcomes come from, and how many sends have none. */
function Sources({ report: { sources, sends } }: { readonly report: CalibrationReport }) {
  return (
    <Section title="Outcomes" note="What became of messages. The more are known, the better the number.">
      <Stack gap="lg">
        {sends !== null && sends.share !== null && (
          <Stack gap={6}>
            <Text size="sm">
              {formatCount(sends.reported)} of {formatCount(sends.verified)} addresses that you checked in the last{' '}
              {sends.days} days have a known outcome ({formatShare(sends.share)}).{' '}
              {sends.verified > sends.reported &&
                plural(sends.verified - sends.reported, '# is missing.', '# are missing.')}
            </Text>
            <Progress
              value={sends.share * 100}
              color="var(--series)"
              size="md"
              aria-label={`${formatShare(sends.share)} have a known outcome`}
            />
          </Stack>
        )}
        {sources.length === 0 ? (
          <Empty title="No outcome yet">
            They come from the service that sends your mail, or from what you report.
          </Empty>
        ) : (
          <ScrollTable minWidth={280} fz="sm" className="numbers" aria-label="Sources of outcomes">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Source</Table.Th>
                <Table.Th ta="right">Outcomes</Table.Th>
                <Table.Th ta="right">Hard bounces</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sources.map((source) => (
                <Table.Tr key={source.source}>
                  <Table.Td>{sourceName(source)}</Table.Td>
                  <Table.Td ta="right">{formatCount(source.outcomes)}</Table.Td>
                  <Table.Td ta="right">{formatCount(source.hard_bounces)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollTable>
        )}
      </Stack>
    </Section>
  );
}

/** How well the numbers held, by the account's own outcomes. */
export function Calibration() {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery(calibrationQuery(api, id));
  return (
    <>
      <Section
        title="Does the number hold?"
        note="Your numbers against what happened, as the last nightly run found them."
      >
        <Loaded query={query} lines={10}>
          {(report) => (
            <Stack gap="lg">
              <Standing report={report} />
              <Facts
                facts={[
                  { name: 'Usable outcomes', value: formatCount(report.outcomes) },
                  { name: 'Hard bounces', value: formatCount(report.hard_bounces) },
                  ...(report.coverage === null
                    ? []
                    : [{ name: 'Intervals that hold', value: `${formatShare(report.coverage)}, 90 % is right` }]),
                  { name: 'Model', value: <span title={report.version}>…{report.version.slice(-6)}</span> },
                  {
                    name: 'Computed',
                    value:
                      report.computed_at === null ? (
                        'Not yet: the first night is to come'
                      ) : (
                        <Time at={report.computed_at} />
                      ),
                  },
                ]}
              />
              {report.bins.length === 0 ? (
                <Empty title="Nothing to compare yet">
                  When outcomes are known, the next nightly run compares them with the numbers.
                </Empty>
              ) : (
                <Grid gap="xl">
                  <Grid.Col span={{ base: 12, md: 7 }}>
                    <Box maw={500}>
                      <Reliability bins={report.bins} />
                    </Box>
                  </Grid.Col>
                  <Grid.Col span={{ base: 12, md: 5 }}>
                    <Stack gap="xl">
                      <HowToRead report={report} />
                      <Loss report={report} />
                    </Stack>
                  </Grid.Col>
                </Grid>
              )}
            </Stack>
          )}
        </Loaded>
      </Section>
      {query.data !== undefined && (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <RoutingWorth routing={query.data.routing} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <Stack gap="lg">
              <Sources report={query.data} />
              <Unread unread={query.data.unread} />
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </>
  );
}
