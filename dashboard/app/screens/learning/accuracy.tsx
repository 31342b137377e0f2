import { Alert, Grid, Group, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CalibrationReport } from '../../api/schema.ts';
import { CostQuality, LossNights } from '../../charts/losses.tsx';
import { Reliability } from '../../charts/reliability.tsx';
import {
  formatCount,
  formatDistance,
  formatDollars,
  formatLoss,
  formatRate,
  formatShare,
  plural,
} from '../../lib/format.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Head } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { SERVICES } from '../connections/services.ts';
import { calibrationQuery } from './metric.ts';
import { verdictOf } from './verdict.ts';

interface ReportProps {
  readonly report: CalibrationReport;
}

/** Accuracy of the bounce risk against the account's own outcomes. */
export function Accuracy() {
  const { id } = useOrganisation();
  const query = useQuery(calibrationQuery(id));
  return (
    <Loaded query={query} lines={10}>
      {(report) => (
        <Stack gap="lg">
          {report.state === 'prior' && <FirstStep report={report} />}
          {report.bins.length > 0 && <Held report={report} />}
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Worth routing={report.routing} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Sources report={report} />
            </Grid.Col>
          </Grid>
          <Unread unread={report.unread} />
        </Stack>
      )}
    </Loaded>
  );
}

function FirstStep({ report: { computed_at: countedAt, outcomes, hard_bounces: bounces } }: ReportProps) {
  const { role } = useOrganisation();
  const to = (screen: 'connections' | 'log', text: string) => (
    <ScreenLink to={screen} inherit>
      {text}
    </ScreenLink>
  );
  return (
    <Alert variant="light" color="indigo" title="Report what happens to your mail">
      {roleAllows(role, 'admin')
        ? to('connections', 'Connect a mail service')
        : 'Ask an admin to connect a mail service'}
      {', or report outcomes by API'}
      {roleAllows(role, 'member') && <> or one by one in {to('log', 'the log')}</>}.{' '}
      {countedAt !== null &&
        `So far: ${plural(outcomes, '# usable outcome', '# usable outcomes')}, ${plural(bounces, '# hard bounce', '# hard bounces')}.`}
    </Alert>
  );
}

function Held({ report }: ReportProps) {
  const { bins, outcomes, coverage, log_loss: loss, log_loss_nights: nights = [], computed_at: computedAt } = report;
  const verdict = verdictOf(report);
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const mean = (of: (bin: CalibrationReport['bins'][number]) => number): number =>
    bins.reduce((sum, bin) => sum + bin.count * of(bin), 0) / Math.max(1, total);
  return (
    <Section
      title="Predicted and actual bounces"
      action={
        computedAt !== null && (
          <Small component="div">
            Updated <Time at={computedAt} />
          </Small>
        )
      }
    >
      <Stack gap="lg">
        {verdict !== null && (
          <Group gap="xs" wrap="nowrap">
            <Text component="span" lh={0} c={verdict.isGood ? 'var(--mark-good)' : 'var(--mark-wait)'}>
              <Icon name={verdict.isGood ? 'check' : 'warning'} />
            </Text>
            <Text fw={500}>{verdict.text}</Text>
          </Group>
        )}
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <FigureCard name="Predicted to bounce" value={formatRate(mean(({ predicted }) => predicted))} />
          <FigureCard
            name="Bounced"
            value={formatRate(mean(({ observed }) => observed))}
            note={`of ${formatCount(outcomes)} outcomes`}
          />
          <FigureCard
            name="Average error"
            value={formatDistance(mean(({ predicted, observed }) => Math.abs(predicted - observed)))}
          />
          {coverage !== null && (
            <FigureCard name="Intervals that held" value={formatShare(coverage)} note="90% is ideal" />
          )}
        </SimpleGrid>
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Reliability bins={bins} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            {nights.length > 1 ? (
              <LossNights
                nights={nights.map(({ computed_at: at, prior, fitted }) => ({ at, table: prior, model: fitted }))}
              />
            ) : (
              loss.prior !== null &&
              loss.fitted !== null && (
                <Text size="sm">
                  Log loss {formatLoss(loss.fitted)} with your outcomes, {formatLoss(loss.prior)} without them. Lower is
                  better.
                </Text>
              )
            )}
          </Grid.Col>
        </Grid>
      </Stack>
    </Section>
  );
}

const SOURCES: Readonly<Record<string, string>> = { api: 'API', import: 'Import' };

/** Sources of outcomes, and sends without any. */
function Sources({ report: { sources, sends } }: ReportProps) {
  const nameOf = ({ source, kind }: CalibrationReport['sources'][number]): string =>
    Object.entries(SERVICES).find(([each]) => each === kind)?.[1].name ?? SOURCES[source] ?? 'Deleted connection';
  if (sources.length === 0) return <Text size="sm">No outcomes reported yet.</Text>;
  return (
    <Section title="Outcomes">
      {sends !== null && sends.share !== null && (
        <Stack gap={6} mb="md">
          <Text size="sm">
            {formatShare(sends.share)} of {formatCount(sends.verified)} addresses of the last {sends.days} days have an
            outcome
          </Text>
          <Progress
            value={sends.share * 100}
            color="var(--series)"
            aria-label={`${formatShare(sends.share)} have an outcome`}
          />
        </Stack>
      )}
      <ScrollTable minWidth={280} fz="sm" className="numbers" aria-label="Sources of outcomes">
        <Head cells={['Source', ['Outcomes', { ta: 'right' }], ['Hard bounces', { ta: 'right' }]]} />
        <Table.Tbody>
          {sources.map((source) => (
            <Table.Tr key={source.source}>
              <Table.Td>{nameOf(source)}</Table.Td>
              <Table.Td ta="right">{formatCount(source.outcomes)}</Table.Td>
              <Table.Td ta="right">{formatCount(source.hard_bounces)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Section>
  );
}

const THOUSAND = 1_000;

function Worth({ routing }: { readonly routing: CalibrationReport['routing'] }) {
  if (routing === undefined || routing === null || routing.addresses === 0)
    return <Text size="sm">No provider was asked in the last weeks, so there are no costs to compare.</Text>;
  const strategies = [
    { name: 'As it was', cost: routing.router },
    { name: 'Always ask', cost: routing.always },
    { name: 'Never ask', cost: routing.never },
  ].map(({ name, cost }) => ({ name, spend: cost.spend_usd * THOUSAND, mistakes: cost.loss_usd * THOUSAND }));
  const totalOf = (at: number): number => (strategies[at]?.spend ?? 0) + (strategies[at]?.mistakes ?? 0);
  const saved = totalOf(1) - totalOf(0);
  return (
    <Section title="Provider spend">
      <Text size="sm" mb="md">
        {saved > 0
          ? `${formatDollars(saved)} saved per 1,000 addresses by asking only where it pays.`
          : 'Asking a provider every time would have cost no more.'}
      </Text>
      <CostQuality strategies={strategies} />
    </Section>
  );
}

/** Bounce reports that say nothing certain about the mailbox. */
function Unread({ unread }: Pick<CalibrationReport, 'unread'>) {
  if (unread.length === 0) return null;
  const total = unread.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      title="Unclear bounces"
      note={`${plural(total, '# bounce says', '# bounces say')} nothing certain about the mailbox, so nothing was learned from them.`}
    >
      <ScrollTable minWidth={280} mah={320} isPlain fz="sm" className="numbers" aria-label="Unclear bounces">
        <Head cells={['Mailbox provider', 'Codes', ['Bounces', { ta: 'right' }], ['Share', { ta: 'right' }]]} />
        <Table.Tbody>
          {unread.map(({ host_family: family, code, enhanced, count }) => (
            <Table.Tr key={`${family} ${code} ${enhanced}`}>
              <Table.Td>{label(family)}</Table.Td>
              <Table.Td>{[code, enhanced].filter((each) => each !== null).join(' ') || 'None'}</Table.Td>
              <Table.Td ta="right">{formatCount(count)}</Table.Td>
              <Table.Td ta="right">{formatShare(count / total)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Section>
  );
}
