import { Alert, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useApiUrl } from '../../lib/api-url.ts';
import { CopyWide } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** Once it is made. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
  /** What is asked before. */
  readonly children: ReactNode;
}

/** A dialog that ends with a secret. From then on it closes by its own button alone. */
export const SecretDialog = ({ title, secret, onClose, children }: SecretDialogProps) => (
  <Dialog opened onClose={onClose} title={title} closeOnClickOutside={false} isHeld={secret !== undefined}>
    {secret === undefined ? children : <SecretShown secret={secret} onDone={onClose} />}
  </Dialog>
);

/** A secret, once. Closing asks first: it can't be seen again. */
function SecretShown({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const apiUrl = useApiUrl();
  return (
    <Stack>
      <Alert variant="light" color="yellow" title="Copy it now">
        It’s shown only once. Keep it on your server, never in a web page.
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} aria-label="Secret">
        {secret}
      </Code>
      <CopyWide text={secret} label="Copy the secret" />
      <Text size="sm">Try it:</Text>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >{`curl -s ${apiUrl}/v1/me -H 'authorization: Bearer ${secret}'`}</Code>
      <Group justify="space-between">
        <Checkbox label="I’ve saved it" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <Button onClick={onDone} disabled={!isKept}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
