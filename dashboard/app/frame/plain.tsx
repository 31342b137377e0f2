import { Box, Center, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A centred card, for pages without an organisation. */
export const PlainPage = ({ width = 400, children }: { readonly width?: number; readonly children: ReactNode }) => (
  <Center mih="100vh" p="md" component="main">
    <Box w="100%" maw={width}>
      <Group gap="xs" mb="md" justify="center">
        <img src="/icon.svg" alt="" width={28} height={28} />
        <Text fw={600}>Email verification</Text>
      </Group>
      <Box className="card" p="xl">
        {children}
      </Box>
    </Box>
  </Center>
);
