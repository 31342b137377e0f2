import { Code, Group, Stack, Table, Text } from '@mantine/core';
import type { Explanation } from '../api/schema.ts';
import { Icon } from './icons.tsx';

const shown = (value: unknown): string => (value === null || value === undefined ? 'nothing' : JSON.stringify(value));

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  in: 'is one of',
  not_in: 'is none of',
  exists: 'is there:',
  contains: 'contains',
};

/** Each rule with its conditions, and what was found at each. */
export const RuleByRule = ({ rules }: { readonly rules: Explanation }) => (
  <Table.ScrollContainer minWidth={520}>
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Rule</Table.Th>
          <Table.Th>Conditions</Table.Th>
          <Table.Th>Matched</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rules.map(({ rule_id: id, matched, conditions }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Code>{id}</Code>
            </Table.Td>
            <Table.Td>
              <Stack gap={2}>
                {conditions.map(({ path, op, value, actual }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name
                  <Text key={at} size="xs">
                    <Code>{path}</Code> {OPERATORS[op] ?? op} {shown(value)}; it was {shown(actual)}
                  </Text>
                ))}
              </Stack>
            </Table.Td>
            <Table.Td>
              <Group gap={4} wrap="nowrap">
                <Icon name={matched ? 'check' : 'cross'} size={15} />
                <Text size="sm">{matched ? 'Yes' : 'No'}</Text>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
