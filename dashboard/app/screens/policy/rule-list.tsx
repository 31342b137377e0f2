import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { ActionIcon, Badge, Box, Button, Code, Group, Menu, Stack, Text, Tooltip } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PolicyRule, Simulation } from '../../api/schema.ts';
import { useFilters } from '../../lib/filters.ts';
import { formatCount, formatSentences, formatShare } from '../../lib/format.ts';
import { capital } from '../../lib/vocabulary.ts';
import { Export } from '../../parts/export.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Dimmed, Small } from '../../parts/text.tsx';
import type { Draft } from './draft.ts';
import { RuleForm } from './rule-form.tsx';
import type { PartProps } from './rules-editor.tsx';
import { newRuleId } from './switches.ts';
import { conditionText } from './words.ts';

const intoView = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'center' });

interface RuleListProps extends PartProps {
  readonly hold: Draft['hold'];
  /** Share of the traffic per rule; undefined until known, or if the role may not ask. */
  readonly shares: Simulation | undefined;
}

/** All rules in order. A rule named in the URL is scrolled into view. */
export function RuleList({ document, change, isReadOnly, hold, shares }: RuleListProps) {
  /** Index of the rule in the form; past the end for a new one. */
  const [edited, setEdited] = useState<number | null>(null);
  const isOpen = edited !== null;
  useEffect(() => {
    hold(isOpen);
    return () => hold(false);
  }, [hold, isOpen]);
  const { rules } = document;
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  /** The pressed button disappears with its rule, so the focus moves to the next rule's. */
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
  const placeOf = (id: string | number): number => rules.findIndex((rule) => rule.id === id);
  const shareOf = (id: string): number | null =>
    shares === undefined || shares.traces === 0
      ? null
      : (shares.by_rule.find(({ rule_id: rule }) => rule === id)?.count ?? 0) / shares.traces;
  return (
    <Section
      title="Rules"
      note={formatSentences(
        'The first rule that matches decides.',
        shares !== undefined && 'Shares are of the last 30 days.',
      )}
      action={
        <Group gap="xs">
          <Export
            name="policy-rules"
            head={['place', 'id', 'decision', 'when', 'reason', 'share']}
            load={async () =>
              rules.map((rule, at) => [
                at + 1,
                rule.id,
                rule.decision,
                conditionText(rule.when),
                rule.description ?? '',
                shareOf(rule.id),
              ])
            }
          />
          {!isReadOnly && (
            <Button ref={add} leftSection={<Icon name="plus" size={14} />} onClick={() => setEdited(rules.length)}>
              Add rule
            </Button>
          )}
        </Group>
      }
    >
      {rules.length === 0 && <Empty title="No rules yet">Every address gets the decision for everyone else.</Empty>}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={({ active, over }) => {
          if (over !== null && over.id !== active.id)
            change({ ...document, rules: arrayMove([...rules], placeOf(active.id), placeOf(over.id)) });
        }}
      >
        <SortableContext items={rules.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <Stack component="ol" ref={list} gap={0} m={0} p={0} className="rule-list">
            {rules.map((rule, at) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                at={at}
                share={shareOf(rule.id)}
                isReadOnly={isReadOnly}
                onEdit={() => setEdited(at)}
                onRemove={() => remove(at)}
              />
            ))}
          </Stack>
        </SortableContext>
      </DndContext>
      <Group gap="sm" className="rule-row" py="sm">
        <Text size="sm" className="rule-text">
          Everyone else
        </Text>
        <Share share={shareOf('default')} />
        <Mark term={document.default} />
      </Group>
      {edited !== null && (
        <RuleForm
          rule={rules[edited] ?? empty}
          isNew={edited >= rules.length}
          others={rules.filter((_, at) => at !== edited)}
          onKeep={(rule, place) => keep(edited, rule, place)}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

const Share = ({ share }: { readonly share: number | null }) =>
  share !== null && (
    <Tooltip label={`Decides ${formatShare(share)} of the traffic`}>
      <Group gap={6} wrap="nowrap" w={92}>
        <svg width={40} height={6} aria-hidden="true">
          <rect width={40} height={6} rx={3} fill="var(--line)" />
          <rect width={share === 0 ? 0 : Math.max(2, share * 40)} height={6} rx={3} fill="var(--series)" />
        </svg>
        <Small className="numbers">{formatShare(share)}</Small>
      </Group>
    </Tooltip>
  );

interface RuleRowProps {
  readonly rule: PolicyRule;
  readonly at: number;
  readonly share: number | null;
  readonly isReadOnly: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** One rule. Its handle drags it, or moves it by keyboard: Space, arrows, Space. */
function RuleRow({ rule, at, share, isReadOnly, onEdit, onRemove }: RuleRowProps) {
  const [{ rule: asked }] = useFilters();
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id: rule.id });
  const { decision, flow, experiment, description } = rule;
  return (
    <Group
      component="li"
      gap="sm"
      py="sm"
      className="rule-row"
      ref={(row: HTMLDivElement | null) => {
        setNodeRef(row);
        if (rule.id === asked) intoView(row);
      }}
      style={{
        transform: transform === null ? undefined : `translateY(${transform.y}px)`,
        transition,
        ...(isDragging && { zIndex: 1, position: 'relative', background: 'var(--hover)' }),
      }}
      {...(rule.id === asked && { 'aria-current': true })}
    >
      {!isReadOnly && (
        <ActionIcon size="sm" className="handle" aria-label={`Move ${rule.id}`} {...attributes} {...listeners}>
          <Icon name="grip" size={16} />
        </ActionIcon>
      )}
      <Dimmed className="numbers" w={18} ta="right">
        {at + 1}
      </Dimmed>
      <Box className="rule-text">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {capital(conditionText(rule.when))}
        </Text>
        <Group gap="xs">
          <Code fz={11}>{rule.id}</Code>
          {description !== undefined && <Small>{description}</Small>}
          {experiment !== undefined && (
            <Badge size="sm" variant="light" tt="none">
              Experiment: {formatCount(experiment.weight)}%
            </Badge>
          )}
        </Group>
      </Box>
      <Share share={share} />
      <Group gap={4} miw={104}>
        <Mark term={decision} />
        {flow !== undefined && <Text size="xs">{flow}</Text>}
      </Group>
      {!isReadOnly && (
        <Group gap={2} wrap="nowrap" className="rule-actions">
          <ActionIcon aria-label={`Edit ${rule.id}`} onClick={onEdit}>
            <Icon name="edit" size={16} />
          </ActionIcon>
          <Menu>
            <Menu.Target>
              <ActionIcon aria-label={`Actions for ${rule.id}`}>
                <Icon name="more" size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" onClick={onRemove}>
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </Group>
  );
}
