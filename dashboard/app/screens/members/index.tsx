import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Page } from '../../parts/page.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { People } from './people.tsx';

/** People, their roles, and who is invited. */
export default function Members() {
  const { role } = useOrganisation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Members"
      description="People with access to this organisation."
      action={
        roleAllows(role, 'admin') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            Invite
          </Button>
        )
      }
    >
      <AdminOnly>
        <People />
        <Invitations />
        <Invite opened={isOpen} onClose={close} />
      </AdminOnly>
    </Page>
  );
}
