import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

interface FigureCardProps {
  readonly name: string;
  /** The number, formatted. */
  readonly value: string;
  readonly note: ReactNode;
  /** It needs a look. */
  readonly isBad?: boolean;
}

/** One number that matters, with what it means. */
export const FigureCard = ({ name, value, note, isBad = false }: FigureCardProps) => (
  <Box className="card" p={{ base: 'sm', sm: 'md' }}>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Group gap={6} wrap="nowrap">
      <Text size="xl" fw={600} className="numbers" lh={1.35} truncate>
        {value}
      </Text>
      {isBad && (
        <Text component="span" lh={0} c="var(--mark-poor)">
          <Icon name="warning" />
          <span className="visually-hidden">needs a look</span>
        </Text>
      )}
    </Group>
    <Text size="xs" c="dimmed" component="div">
      {note}
    </Text>
  </Box>
);
