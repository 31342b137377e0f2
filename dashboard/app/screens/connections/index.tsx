import { Button, Group, Stack, ActionIcon, Menu, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { formatCount } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DocsLink } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { QuietButton, Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Connect, SecretForm, Steps, WebhookUrl } from './connect.tsx';
import { connectionsQuery, type Connection, deleteConnection } from './queries.ts';
import { SERVICES } from './services.ts';

function List({ onConnect }: { readonly onConnect: () => void }) {
  const { id } = useOrganisation();
  const query = useQuery(connectionsQuery(id));
  return (
    <Loaded query={query} lines={6}>
      {(connections) =>
        connections.length === 0 ? (
          <Section>
            <Empty title="No connections yet" action={<QuietButton onClick={onConnect}>Add connection</QuietButton>}>
              Connect the service that sends your mail to report bounces, complaints and deliveries automatically.
            </Empty>
          </Section>
        ) : (
          <Stack gap="md">
            {connections.map((connection) => (
              <ConnectionCard key={connection.id} connection={connection} />
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}

export default function Connections() {
  const { role } = useOrganisation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Connections"
      description="Services that report outcomes automatically."
      action={
        <Group gap="md">
          <DocsLink page="mail-services/">Setup guide</DocsLink>
          {roleAllows(role, 'admin') && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
              Add connection
            </Button>
          )}
        </Group>
      }
    >
      <AdminOnly>
        <List onConnect={open} />
        <Connect opened={isOpen} onClose={close} />
      </AdminOnly>
    </Page>
  );
}

interface Standing {
  readonly icon: IconName;
  readonly colour: string;
  readonly text: string;
}

/** Whether the connection works. */
function standingOf({ last_event_at: last, refused }: Connection): Standing {
  if (last !== null) return { icon: 'check', colour: 'var(--mark-good)', text: 'Receiving' };
  if (refused > 0) return { icon: 'cross', colour: 'var(--mark-bad)', text: 'Rejecting: check the secret' };
  return { icon: 'pause', colour: 'var(--mark-wait)', text: 'Waiting for the first event' };
}

type Opened = 'steps' | 'secret' | 'delete' | null;

function ConnectionCard({ connection }: { readonly connection: Connection }) {
  const { api, id } = useOrganisation();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const service = SERVICES[connection.kind];
  const standing = standingOf(connection);
  const remove = useMutation({
    mutationFn: () => deleteConnection(api, connection.id),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: connectionsQuery(id).queryKey });
    },
  });
  const events = Object.entries(connection.events).toSorted(([, one], [, other]) => other - one);
  return (
    <Stack component="article" className="card" p={{ base: 'md', sm: 'lg' }} gap="md" aria-label={service.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <Title order={2} size="h5">
            {service.name}
          </Title>
          <Group gap={6} wrap="nowrap">
            <Text component="span" lh={0} style={{ color: standing.colour }}>
              <Icon name={standing.icon} size={16} />
            </Text>
            <Text size="sm">{standing.text}</Text>
          </Group>
        </Group>
        <Menu>
          <Menu.Target>
            <ActionIcon variant="default" aria-label={`Actions for ${service.name}`}>
              <Icon name="more" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpened('steps')}>Setup</Menu.Item>
            <Menu.Item onClick={() => setOpened('secret')}>Change secret</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => setOpened('delete')}>
              Disconnect
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <WebhookUrl url={connection.url} />
      <Facts
        facts={[
          {
            name: 'Last event',
            value: connection.last_event_at === null ? 'None in 30 days' : <Time at={connection.last_event_at} />,
          },
          ...events.map(([event, count]) => ({ name: label(event), value: formatCount(count) })),
          { name: 'Refused', value: formatCount(connection.refused) },
          { name: 'Connected', value: <Time at={connection.created_at} /> },
        ]}
      />
      {connection.refused > 0 && (
        <Small>Rejected webhooks have a bad signature. {service.name}’s webhook log shows our answers.</Small>
      )}
      <Dialog opened={opened === 'steps'} onClose={close} title={`Set up ${service.name}`}>
        <Stack>
          <WebhookUrl url={connection.url} />
          <Steps steps={service.after} />
        </Stack>
      </Dialog>
      <Dialog opened={opened === 'secret'} onClose={close} title={`New secret for ${service.name}`}>
        <SecretForm
          connectionId={connection.id}
          kind={connection.kind}
          action="Save"
          otherwise="Cancel"
          onDone={close}
        />
      </Dialog>
      <Confirm
        opened={opened === 'delete'}
        title={`Disconnect ${service.name}?`}
        action="Disconnect"
        sending={remove}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        Its webhooks will be rejected. What it reported stays.
      </Confirm>
    </Stack>
  );
}
