import { Anchor, Button, Select, Stack, Text } from '@mantine/core';
import type { Decision } from '../../api/schema.ts';
import { plural } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import { FaultAtLine, faultKey } from './fault-text.tsx';
import { Kinds } from './kinds.tsx';
import { NumberLimits } from './number-limits.tsx';
import { isSwitched } from './switches.ts';

const DEFAULTS: readonly Decision[] = ['allow', 'review', 'challenge', 'deny'];

/** What the parts of the editor are given. */
export interface PartProps {
  readonly document: Draft['document'];
  readonly change: Draft['change'];
  readonly isReadOnly: boolean;
}

/** What takes the place of switches and rules while the JSON is broken. */
export const Broken = ({ draft, onOpenJson }: { readonly draft: Draft; readonly onOpenJson: () => void }) => (
  <Section title="The JSON has errors">
    <Stack gap={4} align="flex-start">
      {draft.broken.map((fault) => (
        <Text key={faultKey(fault)} size="sm" component="div">
          <FaultAtLine fault={fault} />
        </Text>
      ))}
      <Button size="xs" variant="default" mt="xs" onClick={onOpenJson}>
        Fix it in the JSON
      </Button>
    </Stack>
  </Section>
);

/** The policy as switches, for what most accounts change. Its other rules stand under Rules. */
export function Switches({ onOpenRules, ...parts }: PartProps & { readonly onOpenRules: () => void }) {
  const { document, change, isReadOnly } = parts;
  const others = document.rules.filter((rule) => !isSwitched(rule)).length;
  return (
    <Stack gap="md">
      <Section title="By kind of address">
        <Kinds {...parts} />
      </Section>
      <Section title="By bounce risk">
        <NumberLimits {...parts} />
      </Section>
      <Section title="Everyone else">
        <Select
          aria-label="Decision when no rule matches"
          w={190}
          data={DEFAULTS.map((value) => ({ value, label: label(value) }))}
          value={document.default}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={(value) => value !== null && change({ ...document, default: value })}
        />
        {others > 0 && (
          <Text size="sm" c="dimmed" mt="sm">
            {plural(others, '# more rule decides before this.', '# more rules decide before this.')}{' '}
            <Anchor component="button" inherit onClick={onOpenRules}>
              See all rules
            </Anchor>
          </Text>
        )}
      </Section>
    </Stack>
  );
}
