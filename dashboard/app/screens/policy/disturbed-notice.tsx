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
      return <>The experiment {name} ends: the draft has no experiment of this name.</>;
    case 'changes':
      return <>The experiment {name} goes on with another condition, decision or share.</>;
    case 'empties':
      return (
        <>
          The experiment {name} gets no more addresses: the rule <Code>{found.by.id}</Code> comes first for all of them.
        </>
      );
    case 'loses':
      return (
        <>
          The experiment {name} gets fewer addresses: where {conditionText(found.by.when)}, the rule{' '}
          <Code>{found.by.id}</Code> comes first.
        </>
      );
    case 'gains':
      return (
        <>
          The experiment {name} gets more addresses: where {conditionText(found.by.when)}, the rule{' '}
          <Code>{found.by.id}</Code> came first until now.
        </>
      );
  }
}

const isMixed = ({ kind }: Disturbance): boolean => kind !== 'ends' && kind !== 'empties';

const titleOf = (found: readonly Disturbance[]): string =>
  plural(
    new Set(found.map(({ experimentId }) => experimentId)).size,
    'This touches a running experiment',
    'This touches running experiments',
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
        Results count addresses from before and after the change together. For a fair comparison, begin an experiment
        with a new name.
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
