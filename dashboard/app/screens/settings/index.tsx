import { NavLink, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFilters } from '../../lib/filters.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Page } from '../../parts/page.tsx';
import { Alerts } from './alerts.tsx';
import { DeleteOrganisation, General, Limits, LeaveOrganisation, SecondFactor } from './general.tsx';
import { Losses } from './losses.tsx';
import { PersonData, Retention, Vendors } from './privacy.tsx';

/** Parts by their name in the URL. The first has none. */
const PARTS: readonly { readonly part: string | undefined; readonly title: string; readonly shown: () => ReactNode }[] =
  [
    { part: undefined, title: 'General', shown: () => <Basics /> },
    { part: 'alerts', title: 'Alerts', shown: () => <Alerts /> },
    { part: 'mistakes', title: 'Costs of mistakes', shown: () => <Losses /> },
    {
      part: 'privacy',
      title: 'Privacy',
      shown: () => (
        <>
          <PersonPart />
          <Retention />
          <Vendors />
        </>
      ),
    },
  ];

function PersonPart() {
  const { role } = useOrganisation();
  return roleAllows(role, 'admin') && <PersonData />;
}

function Basics() {
  const { id, name, role } = useOrganisation();
  return (
    <>
      <General key={`${id}${name}`} />
      {roleAllows(role, 'admin') && <SecondFactor />}
      <Limits />
      <LeaveOrganisation />
      {roleAllows(role, 'admin') && <DeleteOrganisation />}
    </>
  );
}

/** The first part has no name in the URL, so a loose match would find it active on every part. */
const EXACT = { exact: true, includeSearch: true, explicitUndefined: true } as const;

/** Settings of the organisation, one part at a time. */
export default function Settings() {
  const { role } = useOrganisation();
  const [{ part: asked }] = useFilters();
  const open = PARTS.find(({ part }) => part === asked) ?? PARTS[0];
  return (
    <Page
      title="Settings"
      description={
        roleAllows(role, 'admin')
          ? 'For the whole organisation.'
          : 'For the whole organisation. Only admins can change them.'
      }
    >
      <div className="with-side">
        <nav aria-label="Settings" className="side">
          {PARTS.map(({ part, title }) => (
            <NavLink
              key={title}
              className="nav-link"
              renderRoot={(props) => <Link to="." search={{ part } as never} activeOptions={EXACT} {...props} />}
              label={title}
              active={part === open?.part}
              {...(part === open?.part && { 'aria-current': 'page' as const })}
              variant="light"
              py={6}
            />
          ))}
        </nav>
        <Stack gap="lg" miw={0}>
          {open?.shown()}
        </Stack>
      </div>
    </Page>
  );
}
