import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A value that stands large, with its name above it. */
export const Named = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    {children}
  </div>
);
