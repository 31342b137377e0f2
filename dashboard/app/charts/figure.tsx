import { Box, Button, Group, Skeleton, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ComponentProps, lazy, type ReactNode, Suspense, useId } from 'react';
import { ScrollTable } from '../parts/scroll-table.tsx';
import { Small } from '../parts/text.tsx';
import type * as Plots from './plots.tsx';

const LazyBars = lazy(async () => ({ default: (await import('./plots.tsx')).Bars }));
const LazyLines = lazy(async () => ({ default: (await import('./plots.tsx')).Lines }));

/** The chart library loads with the first chart. */
export const Bars = ({ h, ...rest }: ComponentProps<typeof Plots.Bars> & { readonly h: number }) => (
  <Suspense fallback={<Skeleton height={h} />}>
    <LazyBars h={h} {...rest} />
  </Suspense>
);

export const Lines = ({ h, ...rest }: ComponentProps<typeof Plots.Lines> & { readonly h: number }) => (
  <Suspense fallback={<Skeleton height={h} />}>
    <LazyLines h={h} {...rest} />
  </Suspense>
);

interface FigureProps {
  readonly caption: ReactNode;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly children: ReactNode;
}

/** A chart with caption and data table. */
export function Figure({ caption, head, rows, children }: FigureProps) {
  const [isShown, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <Box component="figure" m={0}>
      {children}
      <Group component="figcaption" justify="space-between" align="flex-start" gap="xs" mt="xs">
        <Small flex="1 1 200px">{caption}</Small>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={toggle}
          aria-expanded={isShown}
          aria-controls={id}
        >
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
