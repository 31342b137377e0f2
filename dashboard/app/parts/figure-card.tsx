import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import { Dimmed, Small } from './text.tsx';

interface FigureCardProps {
  readonly name: string;
  readonly value: string;
  readonly note?: ReactNode;
  readonly isBad?: boolean;
}

export const FigureCard = ({ name, value, note, isBad = false }: FigureCardProps) => (
  <Box className="tile">
    <Dimmed fw={500}>{name}</Dimmed>
    <Group gap={6} wrap="nowrap">
      <Text className="figure-number numbers" truncate>
        {value}
      </Text>
      {isBad && (
        <Text component="span" lh={0} c="var(--mark-poor)">
          <Icon name="warning" />
          <span className="visually-hidden">needs a look</span>
        </Text>
      )}
    </Group>
    {note !== undefined && <Small component="div">{note}</Small>}
  </Box>
);
