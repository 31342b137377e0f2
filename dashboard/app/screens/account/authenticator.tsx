import { Anchor, Badge, Center, Code, Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { callAuth, meQuery } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useMe } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyWide } from '../../parts/copy.tsx';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FreshOnly } from '../../parts/fresh-only.tsx';
import { QuietButton } from '../../parts/text.tsx';
import { CodeForm } from './code-form.tsx';

const QrCode = lazy(() => import('./qr-code.tsx'));

const refreshMe = () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey });

/** Authenticator app, whose code is asked for after each sign-in link. */
export function Authenticator() {
  const { factors } = useMe();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isEnding, { open: askEnd, close: keep }] = useDisclosure(false);
  const end = useMutation({
    mutationFn: () => callAuth('POST', '/two-factor/disable', {}),
    onSuccess: () => refreshMe().then(keep),
  });
  return (
    <Group justify="space-between">
      <Text size="sm" maw={340}>
        {factors.totp
          ? 'You enter a code of your app after each sign-in link.'
          : 'Asks for a code after each sign-in link, so your mailbox alone opens nothing.'}
      </Text>
      {factors.totp ? (
        <Group gap="xs">
          <Badge variant="light" color="teal">
            On
          </Badge>
          <QuietButton onClick={askEnd}>Turn off</QuietButton>
        </Group>
      ) : (
        <QuietButton onClick={open}>Set up</QuietButton>
      )}
      {isOpen && <SetUp onClose={close} />}
      <Confirm
        opened={isEnding}
        title="Turn off the authenticator app?"
        action="Turn off"
        isFresh
        sending={end}
        onConfirm={() => end.mutate()}
        onClose={keep}
      >
        Your backup codes stop working too. Organisations that require a second factor then need your passkey.
      </Confirm>
    </Group>
  );
}

interface Enrolment {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** Shows the secret, checks the first code, then shows the backup codes once. */
function SetUp({ onClose }: { readonly onClose: () => void }) {
  const [isProved, setProved] = useState(false);
  const begin = useMutation({
    mutationFn: () => callAuth<Enrolment>('POST', '/two-factor/enable', { method: 'totp' }),
  });
  const finish = () => void refreshMe().then(onClose);
  return (
    <Dialog opened onClose={onClose} title="Authenticator app" closeOnClickOutside={false} isHeld={isProved}>
      {begin.data === undefined ? (
        <FreshOnly onClose={onClose}>
          <DialogForm action="Continue" sending={begin} onSubmit={() => begin.mutate()} onCancel={onClose}>
            <Text size="sm">
              You need an app such as 1Password, Google Authenticator or Microsoft Authenticator. It shows a new code
              every 30 seconds.
            </Text>
          </DialogForm>
        </FreshOnly>
      ) : isProved ? (
        <BackupCodes codes={begin.data.backupCodes} onDone={finish} />
      ) : (
        <Stack>
          <Secret uri={begin.data.totpURI} />
          <CodeForm
            label="Code that the app shows"
            action="Turn on"
            onDone={() => setProved(true)}
            onCancel={onClose}
          />
        </Stack>
      )}
    </Dialog>
  );
}

function Secret({ uri }: { readonly uri: string }) {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <>
      <Text size="sm">
        Scan this with the app, or <Anchor href={uri}>open it on this device</Anchor>.
      </Text>
      <Center mih={200}>
        <Suspense fallback={<Loader size="sm" />}>
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Suspense>
      </Center>
      <Text size="sm">Can’t scan it? Type this key:</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} aria-label="Key">
        {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </Code>
    </>
  );
}

const BackupCodes = ({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) => (
  <DialogEnd onDone={onDone}>
    <Text size="sm">
      The app is on. If you lose it, each of these backup codes signs you in once. They aren’t shown again: keep them
      apart from your phone.
    </Text>
    <SimpleGrid cols={2} spacing={4} component="ul" p={0} m={0} aria-label="Backup codes">
      {codes.map((code) => (
        <Code key={code} component="li" ta="center" fz="sm">
          {code}
        </Code>
      ))}
    </SimpleGrid>
    <CopyWide text={codes.join('\n')} label="Copy the codes" />
  </DialogEnd>
);
