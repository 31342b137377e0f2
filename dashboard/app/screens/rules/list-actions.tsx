import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { ErrorNotice } from '../../parts/notices.tsx';
import { QuietButton } from '../../parts/text.tsx';
import { addRule, removeRule, rulesKey, otherSide, type RuleKind, type RuleSide } from './queries.ts';
import { reasonInWords } from './read-lines.ts';

const LIST: Readonly<Record<RuleSide, string>> = { block: 'block list', allow: 'allow list' };

/** The list that has the entry; null for neither. */
type Standing = RuleSide | null;

/** Undoes a change: off the current list, or back onto the previous one. */
interface Undo {
  readonly from: RuleSide;
  readonly to: Standing;
}

interface Change {
  readonly from: Standing;
  readonly to: Standing;
  readonly text: string;
  /** Null for an undo, and for a refused change. */
  readonly undo: Undo | null;
}

async function put(api: ApiClient, kind: RuleKind, side: RuleSide, entry: string): Promise<Change> {
  const { rejected, moved, unchanged } = await addRule(api, kind, side, entry);
  const [refused] = rejected;
  if (refused !== undefined)
    return { from: null, to: null, text: `Can’t be added: ${reasonInWords(refused.reason)}.`, undo: null };
  const off = { from: side, to: null };
  if (unchanged > 0) return { from: side, to: side, text: `Already on your ${LIST[side]}.`, undo: off };
  const other = otherSide(side);
  return moved > 0
    ? {
        from: other,
        to: side,
        text: `Moved from your ${LIST[other]} to your ${LIST[side]}.`,
        undo: { from: side, to: other },
      }
    : { from: null, to: side, text: `Added to your ${LIST[side]}.`, undo: off };
}

async function takeBack(api: ApiClient, kind: RuleKind, { from, to }: Undo, entry: string): Promise<Change> {
  if (to === null) {
    const { removed } = await removeRule(api, kind, from, entry);
    if (removed === 0)
      return { from, to: from, text: `Already removed from your ${LIST[from]} by someone else.`, undo: null };
    return { from, to, text: `Removed from your ${LIST[from]}.`, undo: null };
  }
  await addRule(api, kind, to, entry);
  return { from, to, text: `Back on your ${LIST[to]}, without its note.`, undo: null };
}

/** The pressed button disappears, so the result's text takes the focus, unless it is elsewhere. */
function focusLost(sentence: HTMLElement | null): void {
  if (document.activeElement === document.body) sentence?.focus();
}

interface ListActionsProps {
  readonly kind: RuleKind;
  readonly entry: string;
  readonly labels: Readonly<Record<RuleSide, string>>;
  /** Reports whether the entry is on another list than at first. */
  readonly onChange?: (isChanged: boolean) => void;
  /** Checks the entry again after a change. */
  readonly onAgain?: () => void;
}

/** Blocks or allows an address or domain, with undo. */
export function ListActions({ kind, entry, labels, onChange, onAgain }: ListActionsProps) {
  const organisation = useOrganisation();
  const { api } = organisation;
  const [first, setFirst] = useState<Change | null>(null);
  const [last, setLast] = useState<Change | null>(null);
  const change = useMutation({
    mutationFn: (pressed: RuleSide | Undo) =>
      typeof pressed === 'string' ? put(api, kind, pressed, entry) : takeBack(api, kind, pressed, entry),
    onSuccess: (done) => {
      setFirst(first ?? done);
      setLast(done);
      onChange?.(done.to !== (first ?? done).from);
      return queryClient.invalidateQueries({ queryKey: rulesKey(organisation.id) });
    },
  });
  if (!roleAllows(organisation.role, 'member')) return null;
  const undo = last?.undo ?? null;
  return (
    <Stack gap="xs" align="flex-start">
      {last !== null && (
        <Text key={last.text} ref={focusLost} tabIndex={-1} size="sm" role="status">
          {last.text}
        </Text>
      )}
      <Group gap="xs">
        {undo === null ? (
          (['block', 'allow'] as const).map((side) => (
            <QuietButton
              key={side}
              // Ignores the second click of a double click on Undo, which stood here.
              onClick={({ detail: clicks }) => clicks < 2 && change.mutate(side)}
              loading={change.isPending && change.variables === side}
            >
              {labels[side]}
            </QuietButton>
          ))
        ) : (
          <QuietButton onClick={() => change.mutate(undo)} loading={change.isPending}>
            {last?.from === last?.to ? 'Remove from list' : 'Undo'}
          </QuietButton>
        )}
        {onAgain !== undefined && last?.to !== first?.from && (
          <QuietButton disabled={change.isPending} onClick={onAgain}>
            Check again
          </QuietButton>
        )}
      </Group>
      {change.error !== null && <ErrorNotice error={change.error} />}
    </Stack>
  );
}
