import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BulkJob } from '../../api/schema.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { byTerm } from '../../lib/order.ts';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/page.tsx';

type Found = NonNullable<BulkJob['breakdown']>;

/** Terms in their order; those that have none by their counts. */
const sharesOf = (counts: Readonly<Partial<Record<string, number>>>) =>
  Object.entries(counts)
    .map(([term, count]) => ({ term, count: count ?? 0 }))
    .toSorted((one, other) => byTerm(one, other) || other.count - one.count);

/** What the addresses of a list are: bars by each property, and the largest domains. */
export function Breakdown({ found, children }: { readonly found: Found; readonly children: ReactNode }) {
  const { decision, duplicates, slips, unresolved, domains } = found;
  return (
    <Section title="Results">
      <Stack gap="xl">
        {children}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={40} verticalSpacing="xl">
          {decision !== null && <ShareBar title="Decision" shares={sharesOf(decision)} />}
          <ShareBar
            title="What the answers rest on"
            note="Not checked: nobody was asked, so what is unclear may be cleared up."
            shares={sharesOf(found.basis).map(({ term, count }) => ({ term: `basis_${term}`, count }))}
          />
          {Object.keys(found.warning).length > 0 && (
            <ShareBar
              title="Warnings of providers"
              of={(total) => plural(total, 'of # address that has one', 'of # addresses that have one')}
              shares={sharesOf(found.warning)}
            />
          )}
          <ShareBar title="Recommendation" shares={sharesOf(found.recommendation)} />
          <ShareBar title="Verdict" shares={sharesOf(found.verdict)} />
          <ShareBar title="Type" shares={sharesOf(found.email_type)} />
          <ShareBar
            title="First reason"
            of={(total) => plural(total, 'of # address that has one', 'of # addresses that have one')}
            note="An address with several reasons counts under its first one alone."
            shares={sharesOf(found.reason)}
          />
          <ShareBar title="Mail taken by" shares={sharesOf(found.host_family)} />
          {domains.length > 0 && <Domains domains={domains} />}
        </SimpleGrid>
        <Facts
          facts={[
            { name: 'Repeated rows', value: formatCount(duplicates) },
            { name: 'Slips of a known domain', value: formatCount(slips) },
            { name: 'Mail hosts not looked up', value: formatCount(unresolved) },
          ]}
        />
      </Stack>
    </Section>
  );
}

const Domains = ({ domains }: { readonly domains: Found['domains'] }) => (
  <div>
    <Text size="sm" fw={600} mb={6}>
      Largest domains
    </Text>
    <Table verticalSpacing={4} horizontalSpacing={6} withRowBorders={false} aria-label="Largest domains">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Domain</Table.Th>
          <Table.Th ta="right">Addresses</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody className="numbers">
        {domains.slice(0, DOMAINS_SHOWN).map(({ domain, addresses }) => (
          <Table.Tr key={domain}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{domain}</Table.Td>
            <Table.Td ta="right">{formatCount(addresses)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);

const DOMAINS_SHOWN = 8;
