import { Button, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useFilters } from '../../lib/filters.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Page } from '../../parts/page.tsx';
import { Accuracy } from './accuracy.tsx';
import { ImportOutcomes } from './import.tsx';
import { Recommendations } from './recommendations.tsx';
import { Segments } from './segments.tsx';

/** Accuracy of the bounce risk, and segments of signups. */
export default function Learning() {
  const [search, change] = useFilters();
  const { role } = useOrganisation();
  const [isImporting, { open, close }] = useDisclosure(false);
  const view = search['view'] === 'segments' ? 'segments' : 'accuracy';
  return (
    <Page
      title="Learning"
      description="What your outcomes and events say. Updated every night."
      action={
        roleAllows(role, 'member') && (
          <Button variant="default" onClick={open}>
            Import outcomes
          </Button>
        )
      }
    >
      <Tabs
        value={view}
        onChange={(value) => change({ view: value === 'segments' ? value : undefined }, true)}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="accuracy">Accuracy</Tabs.Tab>
          <Tabs.Tab value="segments">Segments</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accuracy">
          <Accuracy />
        </Tabs.Panel>
        <Tabs.Panel value="segments">
          <Stack gap="lg">
            <Recommendations />
            <Segments />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      {isImporting && <ImportOutcomes onClose={close} />}
    </Page>
  );
}
