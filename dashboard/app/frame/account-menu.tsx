import { Button, Menu, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { callAuth, startOver } from '../api/session.ts';
import { useMutation } from '../lib/mutation.ts';
import { useMe } from '../lib/organisation.ts';
import { Icon } from '../parts/icons.tsx';

/** The person: light or dark, sessions and passkeys, the way out. */
export function AccountMenu() {
  const { user, is_operator: isOperator } = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const signOut = useMutation({
    mutationFn: () => callAuth('POST', '/sign-out', {}),
    onSuccess: () => startOver('/sign-in'),
  });
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Menu width={230} position="top-start" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          justify="flex-start"
          px="sm"
          leftSection={<Icon name="members" />}
        >
          <Text truncate size="sm">
            {user.email}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name={other === 'dark' ? 'moon' : 'sun'} size={16} />}
          onClick={() => setColorScheme(other)}
        >
          {other === 'dark' ? 'Dark mode' : 'Light mode'}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="keys" size={16} />}
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          Account and security
        </Menu.Item>
        {isOperator && (
          <Menu.Item
            leftSection={<Icon name="operator" size={16} />}
            renderRoot={(props) => <Link to="/operator" {...props} />}
          >
            Operator
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="external" size={16} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
