import { Code, Group, Text, Alert, Box, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Policy } from '../../api/schema.ts';
import { plural } from '../../lib/format.ts';
import { Icon } from '../../parts/icons.tsx';
import { Maker } from '../../parts/maker.tsx';
import type { Disturbance, Shadowed } from './disturbed.ts';
import { Changes } from './versions.tsx';
import { conditionText } from './words.ts';

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

function Fate({ found }: { readonly found: Disturbance }) {
  const name = <Code>{found.experimentId}</Code>;
  switch (found.kind) {
    case 'ends':
      return <>Experiment {name} ends.</>;
    case 'changes':
      return <>Experiment {name} continues with another condition, decision or share.</>;
    case 'empties':
      return (
        <>
          Experiment {name} gets no more addresses: rule <Code>{found.by.id}</Code> comes first.
        </>
      );
    case 'loses':
      return (
        <>
          Experiment {name} gets fewer addresses: where {conditionText(found.by.when)}, rule <Code>{found.by.id}</Code>{' '}
          comes first.
        </>
      );
    case 'gains':
      return (
        <>
          Experiment {name} gets more addresses: where {conditionText(found.by.when)}, rule <Code>{found.by.id}</Code>{' '}
          no longer comes first.
        </>
      );
  }
}

const isMixed = ({ kind }: Disturbance): boolean => kind !== 'ends' && kind !== 'empties';

const titleOf = (found: readonly Disturbance[]): string =>
  plural(
    new Set(found.map(({ experimentId }) => experimentId)).size,
    'This changes a running experiment',
    'This changes running experiments',
  );

const Fates = ({ found }: { readonly found: readonly Disturbance[] }) => (
  <Stack gap={4}>
    {found.map((each) => (
      <Text key={`${each.experimentId} ${each.kind} ${'by' in each ? each.by.id : ''}`} size="sm">
        <Fate found={each} />
      </Text>
    ))}
    {found.some(isMixed) && (
      <Text size="sm">
        Results will mix addresses from before and after. For a clean comparison, start a new experiment.
      </Text>
    )}
  </Stack>
);

/** Effects of saving the draft on running experiments. */
export const DisturbedNotice = ({ found }: { readonly found: readonly Disturbance[] }) =>
  found.length > 0 && (
    <Alert color="yellow" variant="light" mb="sm" icon={<Icon name="warning" />} title={titleOf(found)}>
      <Fates found={found} />
    </Alert>
  );

/** The same, folded into a line for phones. */
export function DisturbedLine({ found }: { readonly found: readonly Disturbance[] }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  if (found.length === 0) return null;
  return (
    <Box mb="xs">
      <Group gap={6} wrap="nowrap">
        <Icon name="warning" size={16} />
        <Text size="sm" fw={600} flex={1}>
          {titleOf(found)}
        </Text>
        <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </Group>
      {isOpen && <Fates found={found} />}
    </Box>
  );
}

interface OvertakenProps {
  readonly base: Policy;
  readonly newest: Policy;
  readonly isSaving: boolean;
  readonly onTake: () => void;
  /** Saves the draft over the newest version; null if it can't be saved. */
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
