import { Button, Code, Group, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Comparison, Decision, Op, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { label } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { moved, sentence, withoutRule } from './draft.ts';

interface TabProps {
  readonly document: PolicyDocument;
  readonly onChange: (document: PolicyDocument) => void;
  readonly mayEdit: boolean;
}

const DEFAULTS: readonly Decision[] = ['allow', 'review', 'challenge', 'deny'];

/** The rules as sentences, in their order. */
export function RulesTab({ document, onChange, mayEdit }: TabProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Stack>
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Order</Table.Th>
              <Table.Th>Rule</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th>Decision</Table.Th>
              <Table.Th>
                <span className="skip">Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {document.rules.map((rule, at) => (
              <Table.Tr key={rule.id}>
                <Table.Td className="numbers">{at + 1}</Table.Td>
                <Table.Td>
                  <Code>{rule.id}</Code>
                  <Text size="xs" c="dimmed">
                    {rule.description}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {sentence(rule.when)}
                  </Text>
                  {rule.experiment !== undefined && (
                    <Text size="xs" c="dimmed">
                      Experiment {rule.experiment.id}: {rule.experiment.weight} %
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Mark term={rule.decision} />
                </Table.Td>
                <Table.Td>
                  {mayEdit && (
                    <Group gap={4} wrap="nowrap" justify="flex-end">
                      <Button
                        size="compact-xs"
                        variant="default"
                        disabled={at === 0}
                        onClick={() => onChange(moved(document, at, at - 1))}
                        aria-label={`Move ${rule.id} up`}
                      >
                        Up
                      </Button>
                      <Button
                        size="compact-xs"
                        variant="default"
                        disabled={at === document.rules.length - 1}
                        onClick={() => onChange(moved(document, at, at + 1))}
                        aria-label={`Move ${rule.id} down`}
                      >
                        Down
                      </Button>
                      <Button
                        size="compact-xs"
                        variant="default"
                        onClick={() => onChange(withoutRule(document, at))}
                        aria-label={`Remove ${rule.id}`}
                      >
                        Remove
                      </Button>
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group align="flex-end" justify="space-between">
        <Select
          label="When no rule matches"
          allowDeselect={false}
          disabled={!mayEdit}
          data={DEFAULTS.map((value) => ({ value, label: label(value) }))}
          value={document.default}
          onChange={(value) => onChange({ ...document, default: value ?? 'allow' })}
        />
        {mayEdit && (
          <Button variant="default" onClick={() => setAdding(true)}>
            Add a rule
          </Button>
        )}
      </Group>
      {isAdding && (
        <AddRule
          taken={document.rules.map(({ id }) => id)}
          onAdd={(rule) => {
            onChange({ ...document, rules: [rule, ...document.rules] });
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Stack>
  );
}

/** The values that a rule reads most, and what each is compared with. */
const PATHS: readonly {
  readonly path: string;
  readonly title: string;
  readonly kind: 'text' | 'number' | 'boolean';
}[] = [
  { path: 'verification.email_type', title: 'Type of address', kind: 'text' },
  { path: 'verification.recommendation', title: 'Recommendation', kind: 'text' },
  { path: 'verification.verdict', title: 'Verdict', kind: 'text' },
  { path: 'verification.bounce_probability', title: 'Bounce probability (0 to 1)', kind: 'number' },
  { path: 'verification.reason', title: 'Reason', kind: 'text' },
  { path: 'verification.esp', title: 'Hosted by', kind: 'text' },
  { path: 'verification.did_you_mean', title: 'Domain is mistyped', kind: 'boolean' },
  { path: 'screening.placeholder', title: 'Looks like a placeholder', kind: 'boolean' },
  { path: 'screening.name_match', title: 'Name and address', kind: 'text' },
  { path: 'screening.fake_name', title: 'Invented name', kind: 'text' },
  { path: 'company.country', title: 'Company: country', kind: 'text' },
  { path: 'company.industry', title: 'Company: industry', kind: 'text' },
  { path: 'icp.fit', title: 'Fit with your ideal customer', kind: 'text' },
];

const OPS: Readonly<Record<'text' | 'number' | 'boolean', readonly { readonly value: Op; readonly label: string }[]>> =
  {
    text: [
      { value: 'eq', label: 'is' },
      { value: 'ne', label: 'is not' },
      { value: 'contains', label: 'contains' },
      { value: 'exists', label: 'is known' },
    ],
    number: [
      { value: 'gte', label: 'is at least' },
      { value: 'lt', label: 'is below' },
    ],
    boolean: [
      { value: 'eq', label: 'is true' },
      { value: 'exists', label: 'is known' },
    ],
  };

interface AddRuleProps {
  readonly taken: readonly string[];
  readonly onAdd: (rule: PolicyRule) => void;
  readonly onClose: () => void;
}

/** One condition; more stand in the JSON. A new rule comes first. */
function AddRule({ taken, onAdd, onClose }: AddRuleProps) {
  const [id, setId] = useState('');
  const [path, setPath] = useState('verification.email_type');
  const [op, setOp] = useState<Op>('eq');
  const [value, setValue] = useState('');
  const [decision, setDecision] = useState<Decision>('review');
  const kind = PATHS.find((each) => each.path === path)?.kind ?? 'text';
  const ops = OPS[kind];
  const needsValue = op !== 'exists' && kind !== 'boolean';
  const when: Comparison = {
    path,
    op,
    value: !needsValue ? true : kind === 'number' ? Number(value) : value.trim(),
  };
  const isTaken = taken.includes(id.trim());
  return (
    <Modal opened onClose={onClose} title="Add a rule" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTaken) onAdd({ id: id.trim(), when, decision });
        }}
      >
        <Stack>
          <TextInput
            label="Its name"
            description="Letters, digits, _ - and . It stands in every decision that it makes."
            required
            pattern="[A-Za-z0-9_.\-]{1,64}"
            data-autofocus
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            error={isTaken ? 'Another rule has this name.' : null}
          />
          <Select
            label="When"
            allowDeselect={false}
            searchable
            data={PATHS.map((each) => ({ value: each.path, label: each.title }))}
            value={path}
            onChange={(chosen) => {
              setPath(chosen ?? path);
              setOp(OPS[PATHS.find((each) => each.path === chosen)?.kind ?? 'text'][0]?.value ?? 'eq');
            }}
          />
          <Group grow align="flex-end">
            <Select
              aria-label="Comparison"
              allowDeselect={false}
              data={ops.map((each) => ({ ...each }))}
              value={op}
              onChange={(chosen) => setOp(chosen ?? op)}
            />
            {needsValue && (
              <TextInput
                aria-label="Value"
                required
                value={value}
                {...(kind === 'number' && { type: 'number', step: '0.01', min: 0, max: 1 })}
                onChange={(event) => setValue(event.currentTarget.value)}
              />
            )}
          </Group>
          <Select
            label="Decision"
            allowDeselect={false}
            data={DEFAULTS.map((each) => ({ value: each, label: label(each) }))}
            value={decision}
            onChange={(chosen) => setDecision(chosen ?? 'review')}
          />
          <Text size="sm" c="dimmed">
            When {sentence(when)}: {label(decision).toLowerCase()}. It comes first; move it behind others afterwards.
          </Text>
          <Button type="submit">Add it</Button>
        </Stack>
      </form>
    </Modal>
  );
}
