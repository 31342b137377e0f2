import { Select, Stack, Text } from '@mantine/core';
import type { Decision } from '../../api/schema.ts';
import { label } from '../../lib/vocabulary.ts';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
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
  if (broken !== null)
    return (
      <Section title="The JSON is broken">
        <Text size="sm">
          The rules show again once the text is JSON: line {broken.line ?? 1} {broken.problem}.
        </Text>
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
      <RuleList {...parts} onOpenJson={onOpenJson} />
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
