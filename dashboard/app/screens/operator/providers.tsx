import { Group, Table, Text } from '@mantine/core';
import type { ServiceStatus } from '../../api/operations.ts';
import { formatCount, formatShare } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';

/** From here on a provider's calls fail more often than they should. */
const HIGH_RATE = 0.05;

/** How the providers answered in the last 24 hours. */
export const Providers = ({ providers }: { readonly providers: ServiceStatus['providers'] }) => (
  <Section title="Providers" note="All calls of the last 24 hours.">
    {providers.length === 0 ? (
      <Empty title="No provider was asked">Calls to providers show here.</Empty>
    ) : (
      <ScrollTable minWidth={380} isPlain fz="sm" verticalSpacing="xs" className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Provider</Table.Th>
            <Table.Th ta="right">Calls</Table.Th>
            <Table.Th ta="right">Failed</Table.Th>
            <Table.Th ta="right">Mean</Table.Th>
            <Table.Th ta="right">Slowest</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {providers.map(({ provider, calls, error_rate: rate, mean_ms: mean, max_ms: most }) => (
            <Table.Tr key={provider}>
              <Table.Td fw={500}>{label(provider)}</Table.Td>
              <Table.Td ta="right">{formatCount(calls)}</Table.Td>
              <Table.Td ta="right">
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {rate >= HIGH_RATE && (
                    <Text component="span" lh={0} c="var(--mark-poor)">
                      <Icon name="warning" size={15} />
                      <span className="visually-hidden">high:</span>
                    </Text>
                  )}
                  {formatShare(rate)}
                </Group>
              </Table.Td>
              <Table.Td ta="right">{mean === null ? '' : `${formatCount(mean)} ms`}</Table.Td>
              <Table.Td ta="right">{most === null ? '' : `${formatCount(most)} ms`}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    )}
  </Section>
);
