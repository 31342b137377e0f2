import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { policiesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Policy } from '../../api/schema.ts';
import { useFilters } from '../../lib/filters.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { documentOf, policiesKey, policyQuery } from './queries.ts';
import { Workbench } from './workbench.tsx';

const USUAL = 'default';

/** The account's policies, one at a time. */
export default function PolicyScreen() {
  const { id, role } = useOrganisation();
  const [{ policy: slug = USUAL }, change] = useFilters();
  const [isMaking, setMaking] = useState(false);
  const policies = useQuery(policiesQuery(id));
  const newest = useQuery(policyQuery(id, slug));
  const slugs = policies.data?.policies.map((each) => each.slug) ?? [slug];
  const open = (policy: string) => change({ policy, view: undefined, version: undefined });
  return (
    <Page
      title="Policy"
      description={
        newest.data !== undefined && (
          <>
            {newest.data.name}, version {newest.data.version}, saved <Time at={newest.data.created_at} />
          </>
        )
      }
      action={
        <Group gap="xs">
          {slugs.length > 1 && (
            <Select aria-label="Policy" data={slugs} value={slug} onChange={(value) => open(value ?? USUAL)} />
          )}
          {roleAllows(role, 'admin') && newest.data !== undefined && (
            <Button variant="default" onClick={() => setMaking(true)}>
              New policy
            </Button>
          )}
        </Group>
      }
    >
      <Loaded query={newest} lines={8}>
        {(policy) => <Workbench key={`${id}/${policy.slug}`} policy={policy} />}
      </Loaded>
      {isMaking && newest.data !== undefined && (
        <NewPolicy
          from={newest.data}
          taken={slugs}
          onMade={(made) => {
            setMaking(false);
            open(made);
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

interface NewPolicyProps {
  readonly from: Policy;
  readonly taken: readonly string[];
  readonly onMade: (slug: string) => void;
  readonly onClose: () => void;
}

function NewPolicy({ from, taken, onMade, onClose }: NewPolicyProps) {
  const { api, id } = useOrganisation();
  const form = useForm({
    initialValues: { name: '', slug: '' },
    validateInputOnBlur: true,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      slug: (slug) =>
        taken.includes(slug) ? 'Another policy has this id' : SLUG.test(slug) ? null : 'a-z, 0-9, _ and -',
    },
  });
  const make = useMutation({
    mutationFn: ({ name, slug }: typeof form.values) =>
      answerOf(
        api.PUT('/v1/policies/{slug}', {
          params: { path: { slug } },
          body: { ...documentOf(from), name: name.trim() },
        }),
      ),
    onSuccess: async ({ policy }) => {
      await queryClient.invalidateQueries({ queryKey: policiesKey(id) });
      onMade(policy.slug);
    },
  });
  return (
    <Dialog opened onClose={onClose} title="New policy">
      <DialogForm
        action="Create policy"
        sending={make}
        onSubmit={() => !form.validate().hasErrors && make.mutate(form.getValues())}
        onCancel={onClose}
      >
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label="Id"
          description="Sent as policy_slug with each call"
          maxLength={64}
          {...form.getInputProps('slug')}
        />
        <Dimmed>Starts as a copy of {from.name}.</Dimmed>
      </DialogForm>
    </Dialog>
  );
}
