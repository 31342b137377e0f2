import { Box, Group, Table, Text } from '@mantine/core';
import { formatCount, formatShare } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { toneOf } from '../parts/mark.tsx';
import { fillOf, Swatch } from './tone-fill.tsx';

export interface Share {
  readonly term: string;
  readonly count: number;
}

/** Kinds without a meaning of their own differ by strength, the largest first. */
const STRENGTHS = [1, 0.72, 0.5, 0.34, 0.22, 0.14];

interface ShareBarProps {
  readonly title: string;
  /** What the whole is, where it is not everything. */
  readonly of?: (total: number) => string;
  /** What the counts leave out. */
  readonly note?: string;
  readonly shares: readonly Share[];
}

/** How a whole is made up: one bar of 100 %, the same as a table below it. */
export function ShareBar({ title, of, note, shares }: ShareBarProps) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const shown = shares.filter(({ count }) => count > 0);
  if (total === 0) return null;
  const isPlain = shown.every(({ term }) => toneOf(term) === 'none');
  const strengthAt = (place: number): number => (isPlain ? (STRENGTHS[place] ?? STRENGTHS.at(-1) ?? 1) : 1);
  const plain = isPlain ? { fill: 'var(--series)' } : {};
  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm" fw={600} mb={6}>
        {title}
        {of !== undefined && (
          <Text span size="sm" c="dimmed">
            {` ${of(total)}`}
          </Text>
        )}
      </Text>
      <Group gap={2} wrap="nowrap" h={20} aria-hidden="true">
        {shown.map(({ term, count }, place) => (
          <svg key={term} height={20} style={{ flex: `${count} 1 3px`, minWidth: 3 }}>
            <title>{`${label(term)}: ${formatCount(count)}`}</title>
            <rect
              width="100%"
              height={20}
              rx={3}
              fill={fillOf(term)}
              fillOpacity={strengthAt(place)}
              stroke="var(--line)"
              {...plain}
            />
          </svg>
        ))}
      </Group>
      <Table mt="xs" verticalSpacing={4} horizontalSpacing={6} withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{title}</Table.Th>
            <Table.Th ta="right">Addresses</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="numbers">
          {shown.map(({ term, count }, place) => (
            <Table.Tr key={term}>
              <Table.Td>
                <Group gap={8} wrap="nowrap">
                  <Swatch term={term} strength={strengthAt(place)} {...plain} />
                  {label(term)}
                </Group>
              </Table.Td>
              <Table.Td ta="right">{formatCount(count)}</Table.Td>
              <Table.Td ta="right">{formatShare(count / total)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {note !== undefined && (
        <Text size="xs" c="dimmed" mt={4} mx={6}>
          {note}
        </Text>
      )}
    </Box>
  );
}
