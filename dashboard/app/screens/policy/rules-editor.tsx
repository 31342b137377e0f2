import { Button, Select, Stack, Text } from '@mantine/core';
import type { Decision } from '../../api/schema.ts';
import { label } from '../../lib/vocabulary.ts';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import { FaultAtLine, faultKey } from './fault-text.tsx';
import { Kinds } from './kinds.tsx';
import { NumberLimits } from './number-limits.tsx';
import { RuleList } from './rule-list.tsx';
import { policyText } from './words.ts';

const DEFAULTS: readonly Decision[] = ['allow', 'review', 'challenge', 'deny'];

interface RulesEditorProps {
  readonly draft: Draft;
  readonly isReadOnly: boolean;
  readonly onOpenJson: () => void;
}

/** The policy as switches, limits and rules. */
export function RulesEditor({ draft, isReadOnly, onOpenJson }: RulesEditorProps) {
  const { document, change, broken } = draft;
  if (broken.length > 0)
    return (
      <Section title="The JSON is broken">
        <Stack gap={4} align="flex-start">
          <Text size="sm">The rules show again once this is mended. Your changes are kept.</Text>
          {broken.map((fault) => (
            <Text key={faultKey(fault)} size="sm" component="div">
              <FaultAtLine fault={fault} />
            </Text>
          ))}
          <Button size="compact-sm" variant="default" mt="xs" onClick={onOpenJson}>
            Mend it in the JSON
          </Button>
        </Stack>
      </Section>
    );
  const parts = { document, change, isReadOnly };
  return (
    <Stack gap="md">
      <Section
        title="Kinds of address"
        note="Each switch sets what happens and the place of its rule, so that it means what it says."
      >
        <Kinds {...parts} />
      </Section>
      <Section
        title="Limits on the number"
        note="Without limits the recommendation decides, which weighs what a mistake costs you."
      >
        <NumberLimits {...parts} />
      </Section>
      <RuleList {...parts} hold={draft.hold} onOpenJson={onOpenJson} />
      <Section title="When no rule matches">
        <Select
          aria-label="Decision when no rule matches"
          maw={220}
          data={DEFAULTS.map((value) => ({ value, label: label(value) }))}
          value={document.default}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={(value) => value !== null && change({ ...document, default: value })}
        />
        <Text size="sm" mt="md">
          {policyText(document)}
        </Text>
      </Section>
    </Stack>
  );
}

/** What the parts of the editor are given. */
export interface PartProps {
  readonly document: Draft['document'];
  readonly change: Draft['change'];
  readonly isReadOnly: boolean;
}
