import { Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Dimmed } from './text.tsx';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly back?: ReactNode;
  /** The main action, right of the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A screen. Its title also names the browser's tab. */
export function Page({ title, description, back, action, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Email verification`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex={1} miw={220}>
          {back}
          <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description !== undefined && (
            <Dimmed mt={4} maw={760} component="div">
              {description}
            </Dimmed>
          )}
        </Box>
        {action}
      </Group>
      {children}
    </Stack>
  );
}

export function Section({
  title,
  note,
  action,
  children,
}: {
  readonly title?: string;
  readonly note?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Box component="section" className="card" p={{ base: 'md', sm: 'lg' }} {...(title && { 'aria-label': title })}>
      {title !== undefined && (
        <Group justify="space-between" mb="md" gap="xs" align="flex-start">
          <Box>
            <Title order={2} size="h5">
              {title}
            </Title>
            {note !== undefined && <Dimmed>{note}</Dimmed>}
          </Box>
          {action}
        </Group>
      )}
      {children}
    </Box>
  );
}
