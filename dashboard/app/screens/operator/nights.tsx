import { Group, Table, Text } from '@mantine/core';
import type { ServiceStatus } from '../../api/operations.ts';
import { formatAgo, formatNumber, formatRow } from '../../lib/format.ts';
import { fieldLabel, label } from '../../lib/vocabulary.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';

type CronStep = ServiceStatus['cron'][number];

/** A nightly step that is older has missed a night. */
const MISSED_S = 27 * 3_600;

const fieldsOf = (report: unknown): readonly (readonly [string, unknown])[] => Object.entries(Object(report) as object);

/** What went wrong with a step; null: nothing. */
function faultOf({ report, age_s: age }: CronStep): string | null {
  const { failed } = Object(report) as { readonly failed?: unknown };
  if (typeof failed === 'string') return failed === 'unfinished' ? 'Not finished' : 'Failed';
  if (typeof failed === 'number' && failed > 0) return `Failed for ${failed}`;
  return age > MISSED_S ? 'Late' : null;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : formatRow(value.map(valueText));
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** When each step of the nightly run was done last, and what it said. */
export const Nights = ({ steps }: { readonly steps: readonly CronStep[] }) => (
  <Section title="Nightly runs" note="Last run of each step.">
    {steps.length === 0 ? (
      <Empty title="No night yet">The first nightly run begins at 03:17 UTC.</Empty>
    ) : (
      <ScrollTable minWidth={520} isPlain fz="sm" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Ended</Table.Th>
            <Table.Th>Report</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="numbers">
          {steps.map((step) => {
            const fault = faultOf(step);
            return (
              <Table.Tr key={step.step}>
                <Table.Td fw={500} style={{ whiteSpace: 'nowrap' }}>
                  {label(step.step)}
                </Table.Td>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    <Text component="span" lh={0} c={`var(--mark-${fault === null ? 'good' : 'poor'})`}>
                      <Icon name={fault === null ? 'check' : 'warning'} size={15} />
                    </Text>
                    {fault ?? 'Done'}
                  </Group>
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatAgo(step.age_s)}</Table.Td>
                <Table.Td>
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {fieldsOf(step.report)
                      .map(([name, value]) => `${fieldLabel(name)}: ${valueText(value)}`)
                      .join(' · ')}
                  </Text>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </ScrollTable>
    )}
  </Section>
);
