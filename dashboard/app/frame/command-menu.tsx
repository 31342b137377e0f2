import '@mantine/spotlight/styles.css';
import { Kbd, Table } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { roleAllows, useMe, useOrganisation } from '../lib/organisation.ts';
import { NAV } from '../nav.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icons.tsx';

const [store, commands] = createSpotlight();
export const openCommands = commands.open;

/** Actions of the command menu, besides going to a screen. */
const ACTS = [
  { path: 'lists', search: { new: 'file' }, label: 'New list', role: 'member' },
  { path: 'policy', search: { view: 'rules' }, label: 'Policy rules', role: 'viewer' },
  { path: 'learning', search: { view: 'segments' }, label: 'Segments', role: 'viewer' },
  { path: 'settings', search: { part: 'mistakes' }, label: 'Costs of mistakes', role: 'viewer' },
  { path: 'settings', search: { part: 'privacy' }, label: 'Export or erase a person', role: 'admin' },
  { path: 'log', search: { decision: 'deny' }, label: 'Denied decisions', role: 'viewer' },
] as const;

const KEYS = [
  ['Ctrl K', 'Command menu'],
  ['/', 'Search this page'],
  ['?', 'Keyboard shortcuts'],
  ['J, K', 'Next and previous record'],
  ['Esc', 'Close'],
] as const;

/** Focuses the page's search, or opens the command menu if the page has none. */
function goToSearch(): void {
  const field = document.querySelector<HTMLElement>('#main input[type="search"], #main [data-search]');
  if (field === null) commands.open();
  else field.focus();
}

/** Ctrl K opens the menu, / searches, ? shows the keys. */
export function CommandMenu() {
  const organisation = useOrganisation();
  const { organisations } = useMe();
  const navigate = useNavigate();
  const [isShown, { open, close }] = useDisclosure(false);
  useHotkeys([
    ['/', goToSearch],
    ['shift + ?', open],
  ]);
  const actions = useMemo(() => {
    const go = (path: string, search: object = {}, id = organisation.id) =>
      void navigate({ to: `/${id}/${path}` as '/', search: search as never });
    const screens = NAV.flatMap(({ entries }) => entries)
      .filter(({ role = 'viewer' }) => roleAllows(organisation.role, role))
      .map(({ path, label, icon }): SpotlightActionData => ({
        id: path,
        label,
        leftSection: <Icon name={icon} />,
        onClick: () => go(path),
      }));
    const acts = ACTS.filter(({ role }) => roleAllows(organisation.role, role)).map(
      ({ path, search, label }): SpotlightActionData => ({ id: label, label, onClick: () => go(path, search) }),
    );
    const others = organisations
      .filter(({ id }) => id !== organisation.id)
      .map(({ id, name }): SpotlightActionData => ({ id, label: name, onClick: () => go('overview', {}, id) }));
    return [
      { group: 'Go to', actions: screens },
      { group: 'Actions', actions: acts },
      ...(others.length > 0 ? [{ group: 'Organisations', actions: others }] : []),
    ];
  }, [organisation, organisations, navigate]);
  return (
    <>
      <Spotlight
        store={store}
        actions={actions}
        shortcut={['mod + K']}
        nothingFound="Nothing found"
        searchProps={{ placeholder: 'Search', 'aria-label': 'Search commands', leftSection: <Icon name="search" /> }}
        highlightQuery
        scrollable
        maxHeight={420}
      />
      <Dialog opened={isShown} onClose={close} title="Keyboard shortcuts" size="sm">
        <Table withRowBorders={false} aria-label="Keyboard shortcuts">
          <Table.Tbody>
            {KEYS.map(([keys, does]) => (
              <Table.Tr key={keys}>
                <Table.Td w={110}>
                  <Kbd>{keys}</Kbd>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Dialog>
    </>
  );
}
