import { Code, Group, List, Stack, Text } from '@mantine/core';
import { Copy } from '../../parts/copy.tsx';

export const Steps = ({ steps, start = 1 }: { readonly steps: readonly string[]; readonly start?: number }) => (
  <List type="ordered" size="sm" spacing={6} listStyleType="decimal" start={start}>
    {steps.map((step) => (
      <List.Item key={step}>{step}</List.Item>
    ))}
  </List>
);

/** Where the service sends its webhooks. */
export function WebhookUrl({ url }: { readonly url: string }) {
  return (
    <Stack gap={4}>
      <Group gap={4} wrap="nowrap">
        <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Code>
        <Copy text={url} label="Copy the webhook address" />
      </Group>
      {url.startsWith('/') && (
        <Text size="xs" c="dimmed">
          Add your service’s public address in front.
        </Text>
      )}
    </Stack>
  );
}
