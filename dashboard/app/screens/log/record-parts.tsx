import { Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from '../../parts/copy.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

export const RecordHead = ({ display, time }: { readonly display: string; readonly time: number }) => (
  <Group justify="space-between" gap="xs">
    <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
      {display}
    </Text>
    <Dimmed>
      <Time at={time} />
    </Dimmed>
  </Group>
);

export const RecordId = ({ id }: { readonly id: string }) => (
  <Group gap={4}>
    <Code>{id}</Code>
    <Copy text={id} label="Copy trace id" />
  </Group>
);

export const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={3} size="h6" mb={6}>
      {title}
    </Title>
    <Stack gap={6}>{children}</Stack>
  </section>
);
