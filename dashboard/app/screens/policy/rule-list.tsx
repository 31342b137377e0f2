import { ActionIcon, Badge, Box, Button, Code, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PolicyRule } from '../../api/schema.ts';
import { useFilters } from '../../lib/filters.ts';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import { RuleForm } from './rule-form.tsx';
import type { PartProps } from './rules-editor.tsx';
import { moved, newRuleId } from './switches.ts';
import { conditionText } from './words.ts';

const intoView = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'center' });

interface RuleListProps extends PartProps {
  readonly hold: Draft['hold'];
  readonly onOpenJson: () => void;
}

/** Every rule in its order. The page's address may name one: it is shown first. */
export function RuleList({ document, change, isReadOnly, hold, onOpenJson }: RuleListProps) {
  /** The place of the rule in the form; past the end: a new one. */
  const [edited, setEdited] = useState<number | null>(null);
  const isOpen = edited !== null;
  useEffect(() => {
    hold(isOpen);
    return () => hold(false);
  }, [hold, isOpen]);
  const [{ rule: asked }] = useFilters();
  const { rules } = document;
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  /** The button that was pressed goes with its rule: the focus moves to that of the next one. */
  const remove = (at: number) => {
    flushSync(() => change({ ...document, rules: rules.toSpliced(at, 1) }));
    const next = list.current?.children[at]?.querySelector<HTMLElement>('.rule-actions > :last-child');
    (next ?? add.current)?.focus();
  };
  const keep = (at: number, rule: PolicyRule, place: number) => {
    change({ ...document, rules: at < rules.length ? rules.with(at, rule) : rules.toSpliced(place, 0, rule) });
    setEdited(null);
  };
  const empty: PolicyRule = {
    id: newRuleId(document),
    when: { all: [{ path: 'verification.email_type', op: 'eq', value: '' }] },
    decision: 'review',
  };
  return (
    <Section
      title="Rules in order"
      note="The first that matches decides."
      action={
        !isReadOnly && (
          <Button
            ref={add}
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setEdited(rules.length)}
          >
            Add rule
          </Button>
        )
      }
    >
      {rules.length === 0 && <Empty title="No rules">Every address gets the decision below.</Empty>}
      <Stack component="ol" ref={list} gap={0} m={0} p={0} className="rule-list">
        {rules.map((rule, at) => (
          <Group
            component="li"
            key={rule.id}
            gap="sm"
            align="flex-start"
            py="sm"
            className="rule-row"
            {...(rule.id === asked && { ref: intoView, 'aria-current': true })}
          >
            <Text size="sm" c="dimmed" className="numbers" w={22} ta="right" mt={1}>
              {at + 1}
            </Text>
            <Box className="rule-text">
              <Group gap="xs">
                <Code>{rule.id}</Code>
                <Mark term={rule.decision} />
                {rule.flow !== undefined && <Text size="sm">to {rule.flow}</Text>}
                {rule.experiment !== undefined && (
                  <Badge size="sm" variant="light" tt="none">
                    Experiment: {rule.experiment.weight} %
                  </Badge>
                )}
              </Group>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }} mt={2}>
                {conditionText(rule.when)}
              </Text>
              {rule.description !== undefined && (
                <Text size="xs" c="dimmed">
                  {rule.description}
                </Text>
              )}
            </Box>
            {!isReadOnly && (
              <Group gap={2} wrap="nowrap" className="rule-actions">
                <Act
                  label={`Move ${rule.id} up`}
                  disabled={at === 0}
                  onClick={() => change(moved(document, at, -1))}
                  turned
                >
                  <Icon name="chevron" size={16} />
                </Act>
                <Act
                  label={`Move ${rule.id} down`}
                  disabled={at === rules.length - 1}
                  onClick={() => change(moved(document, at, 1))}
                >
                  <Icon name="chevron" size={16} />
                </Act>
                <Act label={`Edit ${rule.id}`} onClick={() => setEdited(at)}>
                  <Icon name="edit" size={16} />
                </Act>
                <Act label={`Remove ${rule.id}`} onClick={() => remove(at)}>
                  <Icon name="cross" size={14} />
                </Act>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {edited !== null && (
        <RuleForm
          rule={rules[edited] ?? empty}
          isNew={edited >= rules.length}
          others={rules.filter((_, at) => at !== edited)}
          onKeep={(rule, place) => keep(edited, rule, place)}
          onOpenJson={() => {
            setEdited(null);
            onOpenJson();
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

interface ActProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly turned?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

const Act = ({ label, disabled = false, turned = false, onClick, children }: ActProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      style={turned ? { transform: 'rotate(180deg)' } : undefined}
    >
      {children}
    </ActionIcon>
  </Tooltip>
);
