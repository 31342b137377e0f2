import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Policy, PolicyDocument } from '../../api/schema.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { documentOf, parsed } from './draft.ts';
import { JsonTab } from './json-tab.tsx';
import { RulesTab } from './rules-tab.tsx';
import { Simulation } from './simulation.tsx';
import { SwitchesTab } from './switches-tab.tsx';
import { Versions } from './versions.tsx';

const pretty = (document: PolicyDocument): string => JSON.stringify(document, null, 2);

/**
 * Three views of one document. The text is the truth: while it can't be read, the other views keep what it last said, and nothing
 * is saved.
 */
export function Editor({ policy }: { readonly policy: Policy }) {
  const organisation = useOrganisation();
  const api = useApi();
  const saved = documentOf(policy);
  const [text, setText] = useState(pretty(saved));
  const [document, setDocument] = useState(saved);
  const [fault, setFault] = useState<string | null>(null);
  const isDirty = text !== pretty(saved);
  const mayEdit = roleAllows(organisation.role, 'admin');
  useBlocker({
    shouldBlockFn: () => !window.confirm('Leave without saving the policy?'),
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
  });

  const change = (changed: PolicyDocument) => {
    setDocument(changed);
    setText(pretty(changed));
    setFault(null);
  };
  const type = (typed: string) => {
    setText(typed);
    try {
      setDocument(parsed(typed));
      setFault(null);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const save = useMutation({
    mutationFn: () =>
      answerOf(
        api.PUT('/v1/policies/{slug}', {
          params: { path: { slug: policy.slug } },
          body: document,
          // Somebody else's save in between is not overwritten.
          headers: { 'if-match': `"${policy.version}"` },
        }),
      ),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [organisation.id, 'policy', policy.slug] }),
        queryClient.invalidateQueries({ queryKey: [organisation.id, 'policies'] }),
      ]);
    },
  });
  return (
    <Stack gap="lg">
      <Section
        title={document.name}
        action={
          mayEdit && (
            <Group gap="xs">
              {isDirty && (
                <Button variant="default" onClick={() => change(saved)}>
                  Undo all
                </Button>
              )}
              <Button onClick={() => save.mutate()} loading={save.isPending} disabled={!isDirty || fault !== null}>
                Save as version {policy.version + 1}
              </Button>
            </Group>
          )
        }
      >
        <Text size="sm" c="dimmed" mb="md">
          Version {policy.version}, saved <Time at={policy.created_at} />
          {isDirty ? '. You have changes that are not saved.' : '.'}
        </Text>
        {save.error !== null && <ErrorNotice error={save.error} />}
        <Tabs defaultValue="switches" mt="sm">
          <Tabs.List>
            <Tabs.Tab value="switches">Switches</Tabs.Tab>
            <Tabs.Tab value="rules">Rules</Tabs.Tab>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
          </Tabs.List>
          {fault !== null && (
            <Text size="sm" c="red.9" mt="sm" role="alert">
              The text can’t be read: {fault} The other views show what it said last.
            </Text>
          )}
          <Tabs.Panel value="switches" pt="md">
            <SwitchesTab document={document} onChange={change} mayEdit={mayEdit && fault === null} />
          </Tabs.Panel>
          <Tabs.Panel value="rules" pt="md">
            <RulesTab document={document} onChange={change} mayEdit={mayEdit && fault === null} />
          </Tabs.Panel>
          <Tabs.Panel value="json" pt="md">
            <JsonTab text={text} onChange={type} mayEdit={mayEdit} fault={fault} />
          </Tabs.Panel>
        </Tabs>
      </Section>
      <Simulation slug={policy.slug} document={document} isReadable={fault === null} />
      <Versions policy={policy} document={document} onRestore={change} mayEdit={mayEdit} />
    </Stack>
  );
}
