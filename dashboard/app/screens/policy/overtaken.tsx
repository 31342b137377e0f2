import { Box, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Policy } from '../../api/schema.ts';
import { Maker } from '../../parts/maker.tsx';
import { Changes } from './versions.tsx';

interface OvertakenProps {
  readonly base: Policy;
  readonly newest: Policy;
  readonly isSaving: boolean;
  readonly onTake: () => void;
  /** Saves the draft over the newest version. Null: it can't be saved. */
  readonly onSave: (() => void) | null;
}

/**
 * Says that a version was saved while a draft was made from an older one, shows what it changed, and offers both. The button that saves
 * over it stands here: in the place of the usual one, it would take a click that was meant for the version before.
 */
export function Overtaken({ base, newest, isSaving, onTake, onSave }: OvertakenProps) {
  const [isShown, { toggle }] = useDisclosure(false);
  return (
    <Box mb="sm">
      <Group gap={4} fz="sm" fw={600}>
        Version {newest.version} was saved in the meantime by <Maker id={newest.created_by ?? 'operator'} />
      </Group>
      <Text size="sm">
        Your changes began at version {base.version}. Saving them replaces version {newest.version}.
      </Text>
      <Group gap="xs" mt={4}>
        <Button size="compact-sm" variant="default" aria-expanded={isShown} onClick={toggle}>
          {isShown ? 'Hide' : 'What changed'}
        </Button>
        <Button size="compact-sm" variant="default" disabled={isSaving} onClick={onTake}>
          Take version {newest.version}, discard mine
        </Button>
        <Button size="compact-sm" loading={isSaving} disabled={onSave === null} onClick={() => onSave?.()}>
          Save mine as version {newest.version + 1}
        </Button>
      </Group>
      {isShown && <Changes before={base} after={newest} />}
    </Box>
  );
}
