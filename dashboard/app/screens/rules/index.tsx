import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useFilters } from '../../lib/filters.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { Page } from '../../parts/page.tsx';
import { AddRules } from './add.tsx';
import { RuleList, sideOf } from './list.tsx';
import { Tester } from './tester.tsx';

/** Domains and addresses that the account blocks or allows. */
export default function Rules() {
  const { role } = useOrganisation();
  const [search] = useFilters();
  const [isAdding, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Block & allow"
      description="Addresses and domains that are always blocked or allowed."
      action={
        roleAllows(role, 'member') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            Add entries
          </Button>
        )
      }
    >
      <Tester />
      <RuleList onAdd={open} />
      <AddRules opened={isAdding} side={sideOf(search)} onClose={close} />
    </Page>
  );
}
