import { Anchor, Group, Select, Stack, Text } from '@mantine/core';
import { formatRow } from '../../lib/format.ts';
import type { PartProps } from './rules-editor.tsx';
import { KINDS, kindState, withKind } from './switches.ts';

const CHOICES = [
  { value: 'none', label: 'Same as others' },
  { value: 'allow', label: 'Allow' },
  { value: 'review', label: 'Review' },
  { value: 'challenge', label: 'Challenge' },
  { value: 'deny', label: 'Deny' },
] as const;
const WITH_FLOW = { value: 'allow_with_flow', label: 'Allow with a flow' } as const;

/** What happens to each kind of address. */
export const Kinds = ({ document, change, isReadOnly }: PartProps) => (
  <Stack gap="md">
    {KINDS.map(({ type, title, hint }) => {
      const { decision, before, movable, isOwn } = kindState(document, type);
      return (
        <Group key={type} justify="space-between" gap="sm">
          <div style={{ flex: '1 1 220px' }}>
            <Text size="sm" fw={500}>
              {title}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {hint}
              {before.length > 0 && ` Unless ${formatRow(before)} matches first.`}{' '}
              {movable !== null && !isReadOnly && (
                <Anchor component="button" inherit onClick={() => change(withKind(document, type, movable))}>
                  Move to front
                </Anchor>
              )}
            </Text>
          </div>
          <Select
            aria-label={title}
            w={190}
            allowDeselect={false}
            data={isOwn ? [...CHOICES, WITH_FLOW] : [...CHOICES]}
            value={decision ?? 'none'}
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
