import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Page } from '../../parts/page.tsx';
import { Alerts } from './alerts.tsx';
import { DeleteOrganisation } from './delete.tsx';
import { General, Limits } from './general.tsx';
import { LeaveOrganisation } from './leave.tsx';
import { Losses } from './losses.tsx';
import { Retention, Vendors } from './privacy.tsx';

/** What holds for the whole organisation. */
export default function Settings() {
  const { id, name, role } = useOrganisation();
  return (
    <Page
      title="Settings"
      description={
        roleAllows(role, 'admin')
          ? 'What holds for the whole organisation.'
          : 'What holds for the whole organisation. Admins may change it.'
      }
    >
      <General key={`${id}${name}`} />
      <Limits />
      <Alerts />
      <Losses />
      <Retention />
      <Vendors />
      <LeaveOrganisation />
      {roleAllows(role, 'admin') && <DeleteOrganisation />}
    </Page>
  );
}
