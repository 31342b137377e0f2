import { Button, Group, Tabs, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/error.ts';
import type { Policy } from '../../api/schema.ts';
import { useFilters } from '../../lib/filters.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { withCode } from '../../parts/notices.tsx';
import { disturbances, newlyShadowed } from './disturbed.ts';
import { type Draft, useDraft } from './draft.ts';
import { Experiments } from './experiments.tsx';
import { FaultAtLine, faultKey, JsonEditor } from './json-editor.tsx';
import { DisturbedLine, DisturbedNotice, Overtaken, ShadowedNotice } from './notices.tsx';
import { faultsOf } from './places.ts';
import { documentOf, policiesKey, policyQuery, savePolicy, sharesQuery, simulate, WINDOW_DAYS } from './queries.ts';
import { RuleList } from './rule-list.tsx';
import { Broken, Switches } from './rules-editor.tsx';
import { SimulationResult } from './simulation.tsx';
import { Versions } from './versions.tsx';

/** Scrolls a box back to the answer at its top. */
function toTop(answer: HTMLElement | null): void {
  if (answer?.parentElement) answer.parentElement.scrollTop = 0;
}

interface WorkbenchProps {
  readonly policy: Policy;
}

/** A saved draft and the version it replaces. */
interface Sent extends Pick<Draft, 'document' | 'text'> {
  readonly over: Policy;
}

/** Switches, rules and JSON edit one draft, which is tried on stored traces and saved. */
export function Workbench({ policy }: WorkbenchProps) {
  const { api, id, role } = useOrganisation();
  const cache = useQueryClient();
  const [{ rule, view = rule === undefined ? 'switches' : 'rules' }, change] = useFilters();
  const draft = useDraft(policy);
  const isPhone = useMediaQuery('(max-width: 48em)');
  const Disturbed = isPhone ? DisturbedLine : DisturbedNotice;
  const mayTry = roleAllows(role, 'member');
  const maySave = roleAllows(role, 'admin');
  const trial = useMutation({
    mutationFn: () => simulate(api, policy.slug, draft.document, WINDOW_DAYS),
    // An organisation runs one simulation at a time, and loading the shares is one.
    retry: (tries, error) => tries < 5 && error instanceof ApiError && error.status === 429,
    retryDelay: 2_000,
  });
  const shares = useQuery({ ...sharesQuery(id, policy), enabled: mayTry }).data;
  const readAgain = () => cache.invalidateQueries({ queryKey: policiesKey(id) });
  const save = useMutation({
    mutationFn: ({ document, over }: Sent) => savePolicy(api, policy.slug, over.version, document),
    onSuccess: (saved, { text }) => {
      draft.saved(text, saved);
      cache.setQueryData(policyQuery(id, policy.slug).queryKey, saved);
      return readAgain();
    },
    // A refusal for a newer version is explained by loading that version.
    onError: (error) => (error instanceof ApiError && error.code === 'version_conflict' ? readAgain() : undefined),
  });
  useUnsaved(draft.isChanged, 'Leave without saving the policy?');
  const saveOver = (over: Policy) => save.mutate({ document: draft.document, text: draft.text, over });
  // While a save is pending, a newer version may be that save.
  const newest = save.isPending ? save.variables.over : policy;
  const isOvertaken = newest.version > draft.base.version;
  // A loaded newer version is shown in place of the refusal.
  const refused = save.error !== null && save.variables.over.version === policy.version ? save.error : null;
  const isOfOlderText = refused !== null && save.variables?.text !== draft.text;
  const refusal = (isOfOlderText ? null : refused) ?? trial.error;
  const isBroken = draft.broken.length > 0;
  const isRefused = refusal !== null && draft.isChanged;
  const faults = isBroken ? draft.broken : isRefused ? faultsOf(refusal.message, draft.text) : [];
  /** Results of an earlier draft do not apply. A pending save continues. */
  const forget = () => {
    trial.reset();
    if (!save.isPending) save.reset();
  };
  const edited: Draft = {
    ...draft,
    change: (next) => {
      forget();
      draft.change(next);
    },
    write: (text) => {
      forget();
      draft.write(text);
    },
    reset: () => {
      forget();
      draft.reset();
    },
  };
  const parts = { document: draft.document, change: edited.change, isReadOnly: !maySave };
  const broken = <Broken draft={edited} onOpenJson={() => change({ view: 'json' })} />;
  return (
    <>
      <Tabs value={view} onChange={(value) => change({ view: value ?? undefined })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="switches">Switches</Tabs.Tab>
          <Tabs.Tab value="rules">Rules</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          <Tabs.Tab value="experiments">Experiments</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="switches">
          {isBroken ? broken : <Switches {...parts} onOpenRules={() => change({ view: 'rules' })} />}
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          {isBroken ? broken : <RuleList {...parts} hold={draft.hold} shares={trial.data ?? shares} />}
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
                    change({ view: undefined });
                  }
                : null
            }
          />
        </Tabs.Panel>
      </Tabs>
      {draft.isChanged && (
        <section className="card draft-bar" aria-label="Your changes">
          <div aria-live="polite" className="found">
            {isOvertaken && (
              <Overtaken
                base={draft.base}
                newest={newest}
                isSaving={save.isPending}
                onTake={edited.reset}
                onSave={maySave && !isBroken ? () => saveOver(newest) : null}
              />
            )}
            {isOfOlderText && (
              <Text size="sm" c="var(--mantine-color-error)" mb="sm">
                Your previous save failed: {withCode(refused.message)}
              </Text>
            )}
            {trial.data !== undefined && (
              <div ref={toTop}>
                <SimulationResult simulation={trial.data} />
              </div>
            )}
            {faults.length > 0 && !(isBroken && view !== 'experiments' && view !== 'versions') && (
              <Text size="sm" c="var(--mantine-color-error)" component="div" mb="sm">
                {faults.map((fault) => (
                  <div key={faultKey(fault)}>
                    <FaultAtLine fault={fault} />
                  </div>
                ))}
                {view !== 'json' && (
                  <Button size="compact-xs" variant="subtle" onClick={() => change({ view: 'json' })}>
                    Show in the JSON
                  </Button>
                )}
              </Text>
            )}
            {!isBroken && <Disturbed found={disturbances(documentOf(policy), draft.document)} />}
            {!isBroken && <ShadowedNotice found={newlyShadowed(documentOf(policy), draft.document)} />}
          </div>
          <Group gap="xs">
            <Text size="sm" flex={1} miw={{ base: 180, xs: 200 }}>
              <b>Unsaved changes.</b> Version {policy.version} is live.
            </Text>
            {!isOvertaken && (
              <Button variant="subtle" color="gray" disabled={save.isPending} onClick={edited.reset}>
                Discard
              </Button>
            )}
            <Group gap="xs" className="draft-acts">
              {mayTry && (
                <Button variant="default" loading={trial.isPending} disabled={isBroken} onClick={() => trial.mutate()}>
                  Preview impact
                </Button>
              )}
              {maySave && !isOvertaken && (
                <Button loading={save.isPending} disabled={isBroken} onClick={() => saveOver(draft.base)}>
                  Save as version {draft.base.version + 1}
                </Button>
              )}
            </Group>
          </Group>
        </section>
      )}
      {save.data?.version === policy.version && !draft.isChanged && (
        <section className="card draft-bar">
          <Text size="sm" role="status">
            Version {policy.version} is live.
          </Text>
        </section>
      )}
    </>
  );
}
