import { Box, Button, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { ScrollTable } from '../parts/scroll-table.tsx';

interface FigureProps {
  readonly caption: ReactNode;
  /** The same numbers as a table. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly children: ReactNode;
}

/** A chart, what it says, and its table. */
export function Figure({ caption, head, rows, children }: FigureProps) {
  const [isShown, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <Box component="figure" m={0}>
      {children}
      <Group component="figcaption" justify="space-between" align="flex-start" gap="xs" mt="xs">
        <Text size="xs" c="dimmed" flex="1 1 200px">
          {caption}
        </Text>
        <Button size="compact-xs" variant="default" onClick={toggle} aria-expanded={isShown} aria-controls={id}>
          {isShown ? 'Hide table' : 'Show table'}
        </Button>
      </Group>
      <div id={id}>
        {isShown && (
          <ScrollTable minWidth={320} mah={360} mt="sm" isPlain fz="xs" className="numbers" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                {head.map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.join('\n')}>
                  {row.map((cell, column) => (
                    <Table.Td key={head[column]} style={{ overflowWrap: 'anywhere' }}>
                      {cell}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollTable>
        )}
      </div>
    </Box>
  );
}
