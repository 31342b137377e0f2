import { Alert, Code, Stack, Text } from '@mantine/core';
import { Icon } from '../../parts/icons.tsx';
import type { Overtaken } from './overtaken.ts';
import { conditionText } from './words.ts';

/** What running experiments no longer see once the draft is saved. */
export const OvertakenNotice = ({ found }: { readonly found: readonly Overtaken[] }) =>
  found.length > 0 && (
    <Alert
      color="yellow"
      variant="light"
      mb="sm"
      icon={<Icon name="warning" />}
      title={found.length === 1 ? 'A running experiment loses addresses' : 'Running experiments lose addresses'}
    >
      <Stack gap={4}>
        {found.map(({ experimentId, by, stoodThere }) => (
          <Text key={`${experimentId} ${by.id}`} size="sm">
            The experiment <Code>{experimentId}</Code> {stoodThere ? 'sees no' : 'no longer sees'} addresses where{' '}
            {conditionText(by.when)}: the rule <Code>{by.id}</Code>{' '}
            {stoodThere ? 'before it was changed' : 'now stands before it'}. Its two arms then mix addresses from before
            and after the change.
          </Text>
        ))}
      </Stack>
    </Alert>
  );
