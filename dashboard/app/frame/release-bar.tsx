import { Alert, Button, Group, Text } from '@mantine/core';
import { useOutdated } from '../lib/lazy-screen.ts';

/** Offers a new release: the page reloads when the person says so. */
export function ReleaseBar() {
  if (!useOutdated()) return null;
  return (
    <Alert mb="md" role="status">
      <Group justify="space-between">
        <Text size="sm">A new version is available. Save your work and reload.</Text>
        <Button size="xs" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Group>
    </Alert>
  );
}
