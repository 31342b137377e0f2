import {
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  ScrollArea,
  Text,
  Badge,
  Menu,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { memo } from 'react';
import { type Organisation, type Role, callAuth, startOver } from '../api/session.ts';
import { useDocsUrl } from '../lib/api-url.ts';
import { useMutation } from '../lib/mutation.ts';
import { isOpenTo, roleAllows, useMe, useOrganisation } from '../lib/organisation.ts';
import { capital } from '../lib/vocabulary.ts';
import { NAV } from '../nav.ts';
import { Icon } from '../parts/icons.tsx';
import { Small } from '../parts/text.tsx';
import { CommandMenu, openCommands } from './command-menu.tsx';

export function Shell() {
  const me = useMe();
  const organisation = useOrganisation();
  // The API would refuse every call of its screens.
  return isOpenTo(me, organisation) ? <Frame organisation={organisation} /> : <Navigate to="/account" replace />;
}

function Frame({ organisation }: { readonly organisation: Organisation }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const pathname = useLocation({ select: (location) => location.pathname });
  const [, , current = ''] = pathname.split('/');
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <CommandMenu />
      <a href="#main" className="skip">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={isOpen ? 'Close the menu' : 'Open the menu'} />
          <Text fw={600} truncate>
            {organisation.name}
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <AppShell.Section>
          <OrganisationMenu />
          <Button
            variant="default"
            fullWidth
            mt="xs"
            className="search-button"
            leftSection={<Icon name="search" size={15} />}
            rightSection={<Kbd size="xs">Ctrl K</Kbd>}
            onClick={openCommands}
          >
            Search
          </Button>
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} my="sm">
          <Screens organisation={organisation.id} role={organisation.role} current={current} onChoose={close} />
        </AppShell.Section>
        <AppShell.Section>
          <Documentation />
          <AccountMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw={1200} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** Opens another tab, so that typed text stays. */
function Documentation() {
  const docs = useDocsUrl();
  if (docs === null) return null;
  return (
    <NavLink
      className="nav-link"
      href={docs}
      target="_blank"
      rel="noreferrer noopener"
      label={
        <>
          Documentation<span className="visually-hidden"> in another tab</span>
        </>
      }
      leftSection={<Icon name="external" />}
      py={6}
    />
  );
}

interface ScreensProps {
  readonly organisation: string;
  readonly role: Role;
  readonly current: string;
  readonly onChoose: () => void;
}

const Screens = memo(function Screens({ organisation, role: own, current, onChoose }: ScreensProps) {
  return (
    <nav aria-label="Screens">
      {NAV.map(({ label, entries }) => {
        const shown = entries.filter(({ role = 'viewer' }) => roleAllows(own, role));
        if (shown.length === 0) return null;
        return (
          <Box key={label} mb="md">
            <Small px="sm" mb={4} fw={500}>
              {label}
            </Small>
            {shown.map((entry) => (
              <NavLink
                key={entry.path}
                className="nav-link"
                renderRoot={(props) => (
                  <Link
                    to={`/$organisation/${entry.path}` as '/$organisation/try'}
                    params={{ organisation }}
                    {...props}
                  />
                )}
                label={entry.label}
                leftSection={<Icon name={entry.icon} />}
                active={current === entry.path}
                {...(current === entry.path && { 'aria-current': 'page' as const })}
                onClick={onChoose}
                variant="light"
                py={6}
              />
            ))}
          </Box>
        );
      })}
    </nav>
  );
});

/** The current organisation; its menu switches to another. */
function OrganisationMenu() {
  const { organisations, invitations } = useMe();
  const current = useOrganisation();
  return (
    <Menu width={260} position="bottom-start">
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
              <Small>{capital(role)}</Small>
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

/** Theme, account and sign-out. */
function AccountMenu() {
  const { user, is_operator: isOperator } = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const signOut = useMutation({
    mutationFn: () => callAuth('POST', '/sign-out', {}),
    onSuccess: () => startOver('/sign-in'),
  });
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Menu width={230} position="top-start">
      <Menu.Target>
        <NavLink
          component="button"
          className="nav-link"
          noWrap
          label={user.email}
          leftSection={<Icon name="members" />}
          py={6}
        />
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
