import { Box, Button, Group, Select, Stack, Text } from '@mantine/core';
import { formatRow, formatSentences, plural } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import type { PartProps } from './rules-editor.tsx';
import { KINDS, kindState, withKind } from './switches.ts';

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
              {formatSentences(hint, meaning(state, document.default))}{' '}
              {state.movable !== null && !isReadOnly && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => change(withKind(document, type, state.movable ?? 'none'))}
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

/** What happens to the kind where nothing comes before. */
const ALONE: Readonly<Record<string, string>> = {
  allow: 'They are let in, unless an earlier rule has a reason against the address.',
  allow_with_flow: 'They are let in with a flow, or met by a stricter rule.',
  review: 'They are held for review, or met by a stricter rule.',
  challenge: 'They are asked to confirm, or met by a stricter rule.',
  deny: 'They are turned away.',
};

/** What happens to a kind without a rule of its own. */
const DEFAULTS: Readonly<Record<string, string>> = {
  allow: 'No rule of its own: let in, unless another rule matches.',
  allow_with_flow: 'No rule of its own: let in with a flow, unless another rule matches.',
  review: 'No rule of its own: held for review, unless another rule matches.',
  challenge: 'No rule of its own: asked to confirm, unless another rule matches.',
  deny: 'No rule of its own: turned away, unless another rule matches.',
};

/** What happens to the kind where earlier rules match some of it. */
const BEHIND: Readonly<Record<string, (count: number, ids: string) => string>> = {
  allow: (count, ids) =>
    plural(
      count,
      `They are let in, but not where the earlier rule ${ids} matched.`,
      `They are let in, but not where one of the earlier rules ${ids} matched.`,
    ),
  allow_with_flow: (count, ids) =>
    plural(
      count,
      `They are let in with a flow, but not where the earlier rule ${ids} matched.`,
      `They are let in with a flow, but not where one of the earlier rules ${ids} matched.`,
    ),
  review: (count, ids) =>
    plural(
      count,
      `They are held for review, but not where the earlier rule ${ids} matched.`,
      `They are held for review, but not where one of the earlier rules ${ids} matched.`,
    ),
  challenge: (count, ids) =>
    plural(
      count,
      `They are asked to confirm, but not where the earlier rule ${ids} matched.`,
      `They are asked to confirm, but not where one of the earlier rules ${ids} matched.`,
    ),
  deny: (count, ids) =>
    plural(
      count,
      `They are turned away, but not where the earlier rule ${ids} matched.`,
      `They are turned away, but not where one of the earlier rules ${ids} matched.`,
    ),
};

/** What really happens to the kind, with what may come before. */
function meaning({ decision, before }: ReturnType<typeof kindState>, otherwise: string): string {
  if (decision === null) return DEFAULTS[otherwise] ?? 'No rule of its own.';
  const said = before.length === 0 ? ALONE[decision] : BEHIND[decision]?.(before.length, formatRow(before));
  return said ?? label(decision);
}
