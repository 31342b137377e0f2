import { Box, Button, Group, Select, Stack, Text } from '@mantine/core';
import { formatForm } from '../../lib/format.ts';
import type { PartProps } from './rules-editor.tsx';
import { KINDS, kindState, type SwitchDecision, withKind } from './switches.ts';
import { doesText } from './words.ts';

const CHOICES = [
  { value: 'none', label: 'As any other address' },
  { value: 'allow', label: 'Allow' },
  { value: 'review', label: 'Review' },
  { value: 'challenge', label: 'Challenge' },
  { value: 'deny', label: 'Deny' },
] as const;
const WITH_FLOW = { value: 'allow_with_flow', label: 'Allow with a flow' } as const;

/** One row a kind of address. */
export const Kinds = ({ document, change, isReadOnly }: PartProps) => (
  <Stack gap="md">
    {KINDS.map(({ type, title, hint }) => {
      const state = kindState(document, type);
      return (
        <Group key={type} justify="space-between" gap="sm">
          <Box flex={1} miw={220}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Text size="sm" c="dimmed" component="div">
              {hint}. {meaning(state, document.default)}{' '}
              {state.before.length > 0 && !isReadOnly && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => change(withKind(document, type, state.decision as SwitchDecision))}
                >
                  Move it in front
                </Button>
              )}
            </Text>
          </Box>
          <Select
            aria-label={title}
            w={210}
            allowDeselect={false}
            data={state.isOwn ? [...CHOICES, WITH_FLOW] : [...CHOICES]}
            value={state.decision ?? 'none'}
            disabled={isReadOnly}
            onChange={(value) => {
              if (value !== null && value !== 'allow_with_flow') change(withKind(document, type, value));
            }}
          />
        </Group>
      );
    })}
  </Stack>
);

/** What really happens to the kind, with what may come before. */
function meaning({ decision, before }: ReturnType<typeof kindState>, otherwise: string): string {
  if (decision === null) return `No rule of its own: ${doesText(otherwise)}, unless another rule matches.`;
  const does = doesText(decision);
  if (decision === 'allow') return `They are ${does}, unless an earlier rule has a reason against the address.`;
  if (before.length === 0)
    return decision === 'deny' ? `They are ${does}.` : `They are ${does}, or met by a stricter rule.`;
  return `They are ${does}, but not where ${formatForm(before.length, { one: 'the earlier rule', other: 'one of the earlier rules' })} ${before.join(', ')} matched.`;
}
