import { Alert, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatForm } from '../../lib/format.ts';
import { Icon } from '../../parts/icons.tsx';
import type { Disturbance } from './disturbed.ts';
import { conditionText } from './words.ts';

/** What becomes of one experiment, after its name. */
function fateOf(found: Disturbance): ReactNode {
  switch (found.kind) {
    case 'ends':
      return 'ends: the draft has no experiment of this name.';
    case 'changes':
      return 'goes on with another condition, decision or share.';
    case 'empties':
      return (
        <>
          gets no more addresses: the rule <Code>{found.by.id}</Code> comes first for all of them.
        </>
      );
    case 'loses':
      return (
        <>
          gets fewer addresses: where {conditionText(found.by.when)}, the rule <Code>{found.by.id}</Code> comes first.
        </>
      );
    case 'gains':
      return (
        <>
          gets more addresses: where {conditionText(found.by.when)}, the rule <Code>{found.by.id}</Code> came first
          until now.
        </>
      );
  }
}

const isMixed = ({ kind }: Disturbance): boolean => kind !== 'ends' && kind !== 'empties';

/** What becomes of running experiments once the draft is saved. */
export const DisturbedNotice = ({ found }: { readonly found: readonly Disturbance[] }) =>
  found.length > 0 && (
    <Alert
      color="yellow"
      variant="light"
      mb="sm"
      icon={<Icon name="warning" />}
      title={formatForm(new Set(found.map(({ experimentId }) => experimentId)).size, {
        one: 'This touches a running experiment',
        other: 'This touches running experiments',
      })}
    >
      <Stack gap={4}>
        {found.map((each) => (
          <Text key={`${each.experimentId} ${each.kind} ${'by' in each ? each.by.id : ''}`} size="sm">
            The experiment <Code>{each.experimentId}</Code> {fateOf(each)}
          </Text>
        ))}
        {found.some(isMixed) && (
          <Text size="sm">
            Results count addresses from before and after the change together. For a fair comparison, begin an
            experiment with a new name.
          </Text>
        )}
      </Stack>
    </Alert>
  );
