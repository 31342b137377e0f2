import { Code, Group, Radio, SimpleGrid, Stack, Text, TextInput, List } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import type { ConnectionKind } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { Copy } from '../../parts/copy.tsx';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Small, Strong } from '../../parts/text.tsx';
import { connectionsQuery, createConnection, changeSecret } from './queries.ts';
import { KINDS, SERVICES } from './services.ts';

function Choice({
  value,
  onChange,
}: {
  readonly value: ConnectionKind;
  readonly onChange: (kind: ConnectionKind) => void;
}) {
  return (
    <Radio.Group label="Service" value={value} onChange={(kind) => onChange(kind)}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
        {KINDS.map((kind) => (
          <Radio.Card key={kind} value={kind} p="sm" className="choice" aria-label={SERVICES[kind].name}>
            <Group wrap="nowrap" gap="sm">
              <Radio.Indicator size="xs" />
              <div>
                <Strong>{SERVICES[kind].name}</Strong>
                <Small>{SERVICES[kind].tells}</Small>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

interface ConnectFormProps {
  /** Reports whether a secret is shown that can't be shown again. */
  readonly onShown: (isShown: boolean) => void;
  readonly onClose: () => void;
}

function ConnectForm({ onShown, onClose }: ConnectFormProps) {
  const { api, id } = useOrganisation();
  const [kind, setKind] = useState<ConnectionKind>('ses');
  const [typed, setTyped] = useState('');
  // One secret per service, so that the copied one is the one sent.
  const [made, setMade] = useState<Partial<Record<ConnectionKind, string>>>({});
  const service = SERVICES[kind];
  const secret = made[kind] ?? typed.trim();
  const create = useMutation({
    mutationFn: () => createConnection(api, kind, secret),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: connectionsQuery(id).queryKey }),
  });

  if (create.data !== undefined) {
    const { url, id: connectionId } = create.data;
    const next = (
      <>
        <Text size="sm">{service.name} is connected. Now send its webhooks here:</Text>
        <WebhookUrl url={url} />
        <Steps steps={service.after} />
      </>
    );
    if (service.secretComesLater !== true) return <DialogEnd onDone={onClose}>{next}</DialogEnd>;
    return (
      <Stack>
        {next}
        <SecretForm
          connectionId={connectionId}
          kind={kind}
          action="Save and finish"
          otherwise="Later"
          onDone={onClose}
        />
      </Stack>
    );
  }
  return (
    <DialogForm
      action="Connect"
      isReady={secret !== ''}
      sending={create}
      onSubmit={() => create.mutate()}
      onCancel={onClose}
    >
      <Choice
        value={kind}
        onChange={(next) => {
          setKind(next);
          setTyped('');
          create.reset();
          onShown(showsSecret(next));
          const make = SERVICES[next].makeSecret;
          if (make !== undefined) setMade((old) => ({ ...old, [next]: old[next] ?? make() }));
        }}
      />
      <Stack gap="xs">
        <Strong>First, at {service.name}</Strong>
        {service.before.length === 1 ? <Text size="sm">{service.before[0]}</Text> : <Steps steps={service.before} />}
      </Stack>
      {service.makeSecret === undefined && (
        <TextInput
          label={service.secret.label}
          description="Stored encrypted and never shown again."
          placeholder={service.secret.placeholder}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={512}
          required
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {showsSecret(kind) && (
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
          <Copy text={secret} label="Copy user and password" />
        </Group>
      )}
    </DialogForm>
  );
}

const showsSecret = (kind: ConnectionKind): boolean =>
  SERVICES[kind].makeSecret !== undefined && SERVICES[kind].secretComesLater !== true;

export function Connect({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const [isHeld, setHeld] = useState(false);
  const close = () => {
    setHeld(false);
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title="Add connection"
      size="lg"
      // A click outside must not lose typed text or a secret.
      closeOnClickOutside={false}
      isHeld={isHeld}
    >
      <ConnectForm onShown={setHeld} onClose={close} />
    </Dialog>
  );
}

interface SecretFormProps {
  readonly connectionId: string;
  readonly kind: ConnectionKind;
  readonly action: string;
  readonly otherwise: string;
  readonly onDone: () => void;
}

/** Sets a connection's secret. The previous one stays valid until the next change. */
export function SecretForm({ connectionId, kind, action, otherwise, onDone }: SecretFormProps) {
  const { api } = useOrganisation();
  const [secret, setSecret] = useState('');
  const change = useMutation({
    mutationFn: () => changeSecret(api, connectionId, secret.trim()),
    onSuccess: onDone,
  });
  return (
    <DialogForm
      action={action}
      otherwise={otherwise}
      isReady={secret.trim() !== ''}
      sending={change}
      onSubmit={() => change.mutate()}
      onCancel={onDone}
    >
      <TextInput
        label={SERVICES[kind].secret.label}
        description="Stored encrypted and never shown again. The old secret works until the next change."
        placeholder={SERVICES[kind].secret.placeholder}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        maxLength={512}
        required
        autoComplete="off"
        spellCheck={false}
      />
    </DialogForm>
  );
}

export const Steps = ({ steps, start = 1 }: { readonly steps: readonly string[]; readonly start?: number }) => (
  <List type="ordered" size="sm" spacing={6} listStyleType="decimal" start={start}>
    {steps.map((step) => (
      <List.Item key={step}>{step}</List.Item>
    ))}
  </List>
);

export function WebhookUrl({ url }: { readonly url: string }) {
  return (
    <Stack gap={4}>
      <Group gap={4} wrap="nowrap">
        <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Code>
        <Copy text={url} label="Copy the webhook address" />
      </Group>
      {url.startsWith('/') && <Small>Add your service’s public address in front.</Small>}
    </Stack>
  );
}
