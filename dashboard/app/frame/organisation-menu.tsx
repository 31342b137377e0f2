import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMe, useOrganisation } from '../lib/organisation.ts';
import { label } from '../lib/vocabulary.ts';
import { Icon } from '../parts/icons.tsx';

/** Which organisation it is, and the way to the others. */
export function OrganisationMenu() {
  const { organisations, invitations } = useMe();
  const current = useOrganisation();
  return (
    <Menu width={260} position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" fullWidth justify="space-between" rightSection={<Icon name="chevron" size={16} />}>
          <Text truncate fw={600} size="sm">
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organisations</Menu.Label>
        {organisations.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            renderRoot={(props) => <Link to="/$organisation/overview" params={{ organisation: id }} {...props} />}
            leftSection={<Icon name={id === current.id ? 'check' : 'members'} size={16} />}
          >
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Text size="sm" truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {label(role)}
              </Text>
            </Group>
          </Menu.Item>
        ))}
        {invitations.length > 0 && (
          <Menu.Item
            renderRoot={(props) => <Link to="/" {...props} />}
            rightSection={<Badge circle>{invitations.length}</Badge>}
          >
            Invitations
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
