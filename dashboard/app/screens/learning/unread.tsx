import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      title={t`Bounces that were not understood`}
      note={t`Their texts say nothing sure about the mailbox, so nothing was learnt from them. Texts are not kept.`}
    >
      <ScrollTable minWidth={280} fz="sm" className="numbers" aria-label={t`Bounces that were not understood`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Mail host</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Codes</Trans>
            </Table.Th>
            <Table.Th ta="right">
              <Trans>Bounces</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {unread.map(({ host_family: family, code, enhanced, count }) => (
            <Table.Tr key={`${family} ${code} ${enhanced}`}>
              <Table.Td>{label(family)}</Table.Td>
              <Table.Td>{[code, enhanced].filter((each) => each !== null).join(' ') || t`None`}</Table.Td>
              <Table.Td ta="right">{formatCount(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Section>
  );
}
