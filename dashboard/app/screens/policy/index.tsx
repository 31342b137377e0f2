import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { answerOf } from '../../api/client.ts';
import { policiesQuery } from '../../api/queries.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { Editor } from './editor.tsx';
import { Experiments } from './experiments.tsx';

/** What decides about a signup. */
export default function PolicyScreen() {
  const organisation = useOrganisation();
  const api = useApi();
  const navigate = useNavigate();
  const { slug = 'default' } = useSearch({ strict: false }) as { slug?: string };
  const policies = useQuery(policiesQuery(api, organisation.id));
  const query = useQuery({
    queryKey: [organisation.id, 'policy', slug],
    queryFn: () => answerOf(api.GET('/v1/policies/{slug}', { params: { path: { slug } } })),
  });
  return (
    <Page
      title="Policy"
      description="Rules in order: the first that matches decides. Every save is a version, in force for the next call."
    >
      <Group>
        <Select
          label="Policy"
          allowDeselect={false}
          data={policies.data?.policies.map((each) => each.slug) ?? [slug]}
          value={slug}
          onChange={(value) => void navigate({ to: '.', search: { slug: value ?? 'default' } as never })}
        />
      </Group>
      <Loaded query={query} lines={10}>
        {({ policy }) => (
          <>
            <Editor key={`${policy.slug} ${policy.version}`} policy={policy} />
            <Experiments slug={policy.slug} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
