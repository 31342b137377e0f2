import { Code, Group, Text } from '@mantine/core';
import { Icon } from '../../parts/icons.tsx';
import type { Shadowed } from './shadowed.ts';

/** Says which rules would decide nothing any more. */
export const ShadowedNotice = ({ found }: { readonly found: readonly Shadowed[] }) =>
  found.map(({ rule, by }) => (
    <Group key={rule.id} gap={6} wrap="nowrap" align="flex-start" mb="xs">
      <Text component="span" lh={0} mt={2}>
        <Icon name="warning" size={16} />
      </Text>
      <Text size="sm">
        Rule <Code>{rule.id}</Code> never applies: <Code>{by.id}</Code> always matches first.
      </Text>
    </Group>
  ));
