import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Small } from './text.tsx';

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** A grid of named values. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <Box
    component="dl"
    m={0}
    style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(126px, 1fr))', gap: '12px 16px' }}
  >
    {facts.map(({ name, value }) => (
      <div key={name}>
        <Small component="dt">{name}</Small>
        <Text component="dd" m={0} size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
      </div>
    ))}
  </Box>
);

/** A large value below its name. */
export const Named = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <Small>{name}</Small>
    {children}
  </div>
);
