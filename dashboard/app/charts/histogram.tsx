import { formatCount, formatShare } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { colourOf } from '../parts/mark.tsx';
import { Bars, Figure } from './figure.tsx';

const BINS = 40;

interface HistogramProps {
  readonly numbers: readonly number[];
  readonly review: number | null;
  readonly deny: number | null;
}

/** Histogram of the account's bounce risks, on the slider's scale. */
export function Histogram({ numbers, review, deny }: HistogramProps) {
  if (numbers.length === 0) return null;
  const counts = Array.from({ length: BINS }, () => 0);
  for (const number of numbers) {
    const bin = Math.min(BINS - 1, Math.floor(Math.sqrt(number) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const edge = (bin: number): number => (bin / BINS) ** 2;
  /** The limits' decision for a bin. */
  const decided = (bin: number): 'deny' | 'review' | null => {
    const middle = edge(bin + 0.5);
    if (deny !== null && middle >= deny) return 'deny';
    return review !== null && middle >= review ? 'review' : null;
  };
  const rangeText = (bin: number): string => `${formatShare(edge(bin))} to ${formatShare(edge(bin + 1))}`;
  const caption = `Bounce risk of your last ${formatCount(numbers.length)} addresses. Square-root scales, so that small counts show.`;
  return (
    <Figure
      caption={caption}
      head={['Bounce risk', 'Addresses', 'By the limits']}
      rows={counts.flatMap((count, bin) => {
        const by = decided(bin);
        return count === 0 ? [] : [[rangeText(bin), formatCount(count), by === null ? 'No limit' : label(by)]];
      })}
    >
      <Bars
        label={caption}
        h={72}
        dataKey="risk"
        data={counts.map((count, bin) => ({
          risk: rangeText(bin),
          [decided(bin) ?? 'none']: Math.sqrt(count),
        }))}
        type="stacked"
        series={[
          { name: 'none', label: 'Addresses', color: 'var(--series)' },
          { name: 'review', label: label('review'), color: colourOf('review') },
          { name: 'deny', label: label('deny'), color: colourOf('deny') },
        ]}
        valueFormatter={(height) => formatCount(height ** 2)}
        withXAxis={false}
        withYAxis={false}
        gridAxis="none"
        barProps={{ radius: 2 }}
      />
    </Figure>
  );
}
