import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { DocsLink } from '../../parts/docs-link.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ConnectionCard } from './card.tsx';
import { Connect } from './connect.tsx';
import { connectionsQuery } from './queries.ts';

function List({ onConnect }: { readonly onConnect: () => void }) {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery(connectionsQuery(api, id));
  return (
    <Loaded query={query} lines={6}>
      {(connections) =>
        connections.length === 0 ? (
          <Section>
            <Empty
              title="No connections yet"
              action={
                <Button variant="default" size="xs" onClick={onConnect}>
                  Add connection
                </Button>
              }
            >
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

/** Services whose webhooks become outcomes and events. */
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
