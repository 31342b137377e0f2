import { Stack, Text } from '@mantine/core';
import type { CalibrationReport } from '../../api/schema.ts';
import { CostQuality } from '../../charts/cost-quality.tsx';
import { formatCount, formatDollars, formatSentences } from '../../lib/format.ts';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

type Routing = NonNullable<CalibrationReport['routing']>;

const THOUSAND = 1_000;

/** Each way of asking, for 1,000 addresses. */
const strategiesOf = ({ never, router, always }: Routing) =>
  [
    { name: 'Ask where it pays (what happened)', cost: router },
    { name: 'Always ask the best provider', cost: always },
    { name: 'Never ask', cost: never },
  ].map(({ name, cost }) => ({ name, spend: cost.spend_usd * THOUSAND, mistakes: cost.loss_usd * THOUSAND }));

function savedText({ router, always }: Routing): string {
  const paid = (always.spend_usd - router.spend_usd) * THOUSAND;
  const whole = paid + (always.loss_usd - router.loss_usd) * THOUSAND;
  if (paid <= 0) return 'A provider was asked each time: it was worth its price.';
  const more =
    whole >= 0
      ? `With mistakes counted, that saved ${formatDollars(whole)}.`
      : `Mistakes cost ${formatDollars(paid - whole)} more.`;
  return formatSentences(
    `You paid ${formatDollars(paid)} less for 1,000 addresses than if a provider had been asked each time.`,
    more,
  );
}

/** Cost against quality: what was spent on providers, and what the number expects of mistakes, beside two simpler ways. */
export function RoutingWorth({ routing }: { readonly routing: CalibrationReport['routing'] }) {
  return (
    <Section
      title="Cost against quality"
      note="Was it worth asking providers? Counted over judgements that had a provider to ask."
    >
      {routing === undefined || routing === null || routing.addresses === 0 ? (
        <Empty title="No provider was asked yet">
          Once there are judgements that had a provider to ask, the nightly run compares the ways.
        </Empty>
      ) : (
        <Stack gap="md">
          <Text size="sm">
            {savedText(routing)} From your newest {formatCount(routing.addresses)} judgements of the last {routing.days}{' '}
            days.
          </Text>
          <CostQuality strategies={strategiesOf(routing)} />
        </Stack>
      )}
    </Section>
  );
}
