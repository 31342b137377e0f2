import { formatDay, formatDollars, formatLoss } from '../lib/format.ts';
import { Bars, Figure, Lines } from './figure.tsx';

export interface LossNight {
  /** Epoch seconds. */
  readonly at: number;
  readonly table: number;
  /** Null with too few outcomes. */
  readonly model: number | null;
}

/** Log loss of the predictions by night. Lower is better; a coin has 0.693. */
export function LossNights({ nights }: { readonly nights: readonly LossNight[] }) {
  const caption = 'Log loss by night: lower is better, 0.693 is a coin’s.';
  return (
    <Figure
      caption={caption}
      head={['Night', 'Before your reports', 'Your risks']}
      rows={nights.map(({ at, table, model }) => [
        formatDay(at),
        formatLoss(table),
        model === null ? '–' : formatLoss(model),
      ])}
    >
      <Lines
        label={caption}
        h={160}
        dataKey="night"
        data={nights.map(({ at, table, model }) => ({ night: formatDay(at), table, model }))}
        series={[
          { name: 'table', label: 'Before your reports', color: 'var(--mark-none)', strokeDasharray: '4 4' },
          { name: 'model', label: 'Your risks', color: 'var(--series)' },
        ]}
        withLegend
        withDots={nights.length < 3}
        valueFormatter={formatLoss}
        yAxisProps={{ domain: ['auto', 'auto'], width: 52 }}
        xAxisProps={{ minTickGap: 32 }}
      />
    </Figure>
  );
}

export interface Strategy {
  readonly name: string;
  /** Provider cost, dollars per 1,000 addresses. */
  readonly spend: number;
  /** Expected cost of mistakes, dollars per 1,000 addresses. */
  readonly mistakes: number;
}

/** Total cost of each strategy: price and mistakes. */
export function CostQuality({ strategies }: { readonly strategies: readonly Strategy[] }) {
  const caption = 'Cost of 1,000 addresses: providers and expected mistakes. Shorter is better.';
  return (
    <Figure
      caption={caption}
      head={['Strategy', 'Providers', 'Expected mistakes', 'Total']}
      rows={strategies.map(({ name, spend, mistakes }) => [
        name,
        formatDollars(spend),
        formatDollars(mistakes),
        formatDollars(spend + mistakes),
      ])}
    >
      <Bars
        label={caption}
        h={56 * strategies.length + 40}
        orientation="vertical"
        type="stacked"
        dataKey="name"
        data={strategies.map((each) => ({ ...each }))}
        series={[
          { name: 'spend', label: 'Providers', color: 'var(--series)' },
          { name: 'mistakes', label: 'Expected mistakes', color: 'var(--mark-wait)' },
        ]}
        withLegend
        maxBarWidth={20}
        valueFormatter={formatDollars}
        yAxisProps={{ width: 130 }}
        xAxisProps={{ tickFormatter: formatDollars }}
      />
    </Figure>
  );
}
