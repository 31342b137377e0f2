import { Box, Group, Table, Text, Tooltip } from '@mantine/core';
import { formatCount, formatShare } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { toneOf } from '../parts/mark.tsx';
import { Dimmed } from '../parts/text.tsx';

export interface Share {
  readonly term: string;
  readonly count: number;
}

/** Opacity of neutral categories, largest first. */
const STRENGTHS = [1, 0.72, 0.5, 0.34, 0.22, 0.14];

const fillsOf = (shares: readonly Share[]) => {
  const isPlain = shares.every(({ term }) => toneOf(term) === 'none');
  return shares.map(({ term }, place) => ({
    'data-tone': isPlain ? 'series' : toneOf(term),
    style: { opacity: isPlain ? (STRENGTHS[place] ?? STRENGTHS.at(-1) ?? 1) : 1 },
  }));
};

/** A 100% bar. The text beside it has the counts. */
export function Bar({ shares, height }: { readonly shares: readonly Share[]; readonly height: number }) {
  const shown = shares.filter(({ count }) => count > 0);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const fills = fillsOf(shown);
  return (
    <div className="bar" style={{ height }} aria-hidden="true">
      {shown.map(({ term, count }, place) => (
        <Tooltip key={term} label={`${label(term)}: ${formatCount(count)} (${formatShare(count / total)})`}>
          <div
            className="fill"
            data-tone={fills[place]?.['data-tone']}
            style={{ ...fills[place]?.style, flex: `${count} 1 0` }}
          />
        </Tooltip>
      ))}
    </div>
  );
}

interface ShareBarProps {
  readonly title: string;
  /** Name of the whole, unless it is everything. */
  readonly of?: (total: number) => string;
  readonly shares: readonly Share[];
}

/** A 100% bar with its table below. */
export function ShareBar({ title, of, shares }: ShareBarProps) {
  const shown = shares.filter(({ count }) => count > 0);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const fills = fillsOf(shown);
  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm" fw={600} mb="xs">
        {title}
        {of !== undefined && (
          <Dimmed span fw={400}>
            {` ${of(total)}`}
          </Dimmed>
        )}
      </Text>
      <Bar shares={shown} height={10} />
      <Table mt={4} verticalSpacing={3} horizontalSpacing={0} withRowBorders={false} fz="sm" aria-label={title}>
        <Table.Thead className="visually-hidden">
          <Table.Tr>
            <Table.Th>{title}</Table.Th>
            <Table.Th>Addresses</Table.Th>
            <Table.Th>Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="numbers">
          {shown.map(({ term, count }, place) => (
            <Table.Tr key={term}>
              <Table.Td>
                <Group gap={8} wrap="nowrap">
                  <span className="fill swatch" aria-hidden="true" {...fills[place]} />
                  {label(term)}
                </Group>
              </Table.Td>
              <Table.Td ta="right">{formatCount(count)}</Table.Td>
              <Table.Td ta="right" c="dimmed" w={64}>
                {formatShare(count / total)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
