import { plural } from '../../lib/format.ts';
import { Alert, Box, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Icon } from '../../parts/icons.tsx';
import type { Disturbance } from './disturbed.ts';
import { conditionText } from './words.ts';

/** What becomes of one experiment. */
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

/** What becomes of running experiments once the draft is saved. */
export const DisturbedNotice = ({ found }: { readonly found: readonly Disturbance[] }) =>
  found.length > 0 && (
    <Alert color="yellow" variant="light" mb="sm" icon={<Icon name="warning" />} title={titleOf(found)}>
      <Fates found={found} />
    </Alert>
  );

/** The same in a line that opens, for where little room is. */
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
