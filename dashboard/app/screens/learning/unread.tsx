import { Table } from '@mantine/core';
import type { CalibrationReport } from '../../api/schema.ts';
import { formatCount } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';

/** Bounces that the service could not classify, so they changed nothing. */
export function Unread({ unread }: Pick<CalibrationReport, 'unread'>) {
  if (unread.length === 0) return null;
  return (
    <Section
      title="Bounces that were not understood"
      note="Their texts say nothing sure about the mailbox, so nothing was learnt from them. Texts are not kept."
    >
      <ScrollTable minWidth={280} fz="sm" className="numbers" aria-label="Bounces that were not understood">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Mail host</Table.Th>
            <Table.Th>Codes</Table.Th>
            <Table.Th ta="right">Bounces</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {unread.map(({ host_family: family, code, enhanced, count }) => (
            <Table.Tr key={`${family} ${code} ${enhanced}`}>
              <Table.Td>{label(family)}</Table.Td>
              <Table.Td>{[code, enhanced].filter((each) => each !== null).join(' ') || 'None'}</Table.Td>
              <Table.Td ta="right">{formatCount(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Section>
  );
}
