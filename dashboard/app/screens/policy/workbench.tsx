import { Button, Group, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Policy } from '../../api/schema.ts';
import { useFilters } from '../../lib/filters.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { disturbances } from './disturbed.ts';
import { DisturbedNotice } from './disturbed-notice.tsx';
import { useDraft } from './draft.ts';
import { Experiments } from './experiments.tsx';
import { JsonEditor } from './json-editor.tsx';
import { faultsOf } from './places.ts';
import { documentOf, policiesKey, savePolicy, simulate } from './queries.ts';
import { RulesEditor } from './rules-editor.tsx';
import { SimulationResult } from './simulation.tsx';
import { Versions } from './versions.tsx';

const WINDOW_DAYS = 30;

/** One policy: its rules and its JSON are two views of one draft, which is tried on stored traces and saved. */
export function Workbench({ policy }: { readonly policy: Policy }) {
  const api = useApi();
  const { id, role } = useOrganisation();
  const cache = useQueryClient();
  const [{ view = 'rules' }, change] = useFilters();
  const draft = useDraft(policy);
  const mayTry = roleAllows(role, 'member');
  const maySave = roleAllows(role, 'admin');
  const trial = useMutation({ mutationFn: () => simulate(api, policy.slug, draft.document, WINDOW_DAYS) });
  const save = useMutation({
    mutationFn: () => savePolicy(api, policy.slug, policy.version, draft.document),
    onSuccess: () =>
      Promise.all([policiesKey(id), [id, 'policy']].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
  useUnsaved(draft.isChanged, 'Leave without saving the policy?');
  const refused = save.error ?? trial.error;
  const faults = draft.broken !== null ? [draft.broken] : refused === null ? [] : faultsOf(refused.message, draft.text);
  /** What was found of another draft says nothing of this one. */
  const edited = {
    ...draft,
    change: (next: Parameters<typeof draft.change>[0]) => {
      trial.reset();
      save.reset();
      draft.change(next);
    },
    write: (text: string) => {
      trial.reset();
      save.reset();
      draft.write(text);
    },
  };
  const isBroken = draft.broken !== null;
  return (
    <>
      <Tabs value={view} onChange={(value) => change({ view: value ?? undefined })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="rules">Rules</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          <Tabs.Tab value="experiments">Experiments</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules">
          <RulesEditor draft={edited} isReadOnly={!maySave} onOpenJson={() => change({ view: 'json' })} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonEditor draft={edited} faults={faults} isReadOnly={!maySave} />
        </Tabs.Panel>
        <Tabs.Panel value="experiments">
          <Experiments policy={policy} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions
            policy={policy}
            onRestore={
              maySave
                ? (document) => {
                    edited.change(document);
                    change({ view: 'rules' });
                  }
                : null
            }
          />
        </Tabs.Panel>
      </Tabs>
      {draft.isChanged && (
        <section className="card draft-bar" aria-label="Your changes">
          <div aria-live="polite" className="found">
            <DisturbedNotice found={disturbances(documentOf(policy), draft.document)} />
            {trial.data !== undefined && <SimulationResult simulation={trial.data} />}
            {faults.length > 0 && (
              <Text size="sm" c="var(--mantine-color-error)" component="div" mb="sm">
                {faults.map(({ at, problem, line }) => (
                  <div key={`${at} ${problem}`}>
                    {line !== null && `Line ${line}: `}
                    {at !== '' && <code>{at}</code>} {problem}
                  </div>
                ))}
                {view !== 'json' && (
                  <Button size="compact-xs" variant="subtle" onClick={() => change({ view: 'json' })}>
                    Show in the JSON
                  </Button>
                )}
              </Text>
            )}
          </div>
          <Group justify="space-between" gap="sm">
            <Text size="sm" flex={1} miw={{ base: '100%', xs: 200 }}>
              <b>Not saved yet.</b> Version {policy.version} is in force.
            </Text>
            <Group gap="xs">
              <Button
                variant="subtle"
                color="gray"
                onClick={() => {
                  trial.reset();
                  save.reset();
                  draft.reset();
                }}
              >
                Discard
              </Button>
              {mayTry && (
                <Button variant="default" loading={trial.isPending} disabled={isBroken} onClick={() => trial.mutate()}>
                  What would it change?
                </Button>
              )}
              {maySave && (
                <Button loading={save.isPending} disabled={isBroken} onClick={() => save.mutate()}>
                  Save as version {policy.version + 1}
                </Button>
              )}
            </Group>
          </Group>
        </section>
      )}
    </>
  );
}
