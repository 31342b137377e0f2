import { Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { policiesQuery } from '../../api/queries.ts';
import { useFilters } from '../../lib/filters.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { policyQuery } from './queries.ts';
import { Workbench } from './workbench.tsx';

const USUAL = 'default';

/** What decides about a signup: the account's policies, one at a time. */
export default function PolicyScreen() {
  const api = useApi();
  const { id } = useOrganisation();
  const [{ policy: slug = USUAL }, change] = useFilters();
  const policies = useQuery(policiesQuery(api, id));
  const newest = useQuery(policyQuery(api, id, slug));
  const slugs = policies.data?.policies.map((each) => each.slug) ?? [slug];
  return (
    <Page
      title="Policy"
      description="What POST /v1/decide answers about an address. Rules stand in order, and the first that matches decides. Every save is a new version."
      action={
        slugs.length > 1 && (
          <Select
            aria-label="Policy"
            data={slugs}
            value={slug}
            allowDeselect={false}
            onChange={(value) => change({ policy: value ?? USUAL, view: undefined, version: undefined })}
          />
        )
      }
    >
      <Loaded query={newest} lines={8}>
        {(policy) => (
          <Stack gap="md">
            <Group gap="xs">
              <Text fw={600}>{policy.name}</Text>
              <Text size="sm" c="dimmed">
                Version {policy.version}, saved <Time at={policy.created_at} />
              </Text>
            </Group>
            <Workbench key={`${id}/${policy.slug}`} policy={policy} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
