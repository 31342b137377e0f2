import { Box, Group, Text } from '@mantine/core';
import { formatCount } from '../../lib/format.ts';
import { Icon } from '../../parts/icons.tsx';

interface FigureProps {
  readonly name: string;
  readonly count: number;
  readonly note: string;
  /** It needs a look. */
  readonly isBad?: boolean;
}

/** One number of the whole service. */
export const Figure = ({ name, count, note, isBad = false }: FigureProps) => (
  <Box className="card" p="md">
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Group gap={6} wrap="nowrap">
      <Text size="xl" fw={600} className="numbers" lh={1.3}>
        {formatCount(count)}
      </Text>
      {isBad && (
        <Text component="span" lh={0} c="var(--mark-poor)">
          <Icon name="warning" />
          <span className="visually-hidden">needs a look</span>
        </Text>
      )}
    </Group>
    <Text size="xs" c="dimmed">
      {note}
    </Text>
  </Box>
);
