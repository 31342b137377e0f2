import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { ErrorNotice } from '../../parts/notices.tsx';
import { type Added, addRule, removeRule, rulesKey } from './queries.ts';
import { listName, otherSide, type RuleKind, type RuleSide } from './types.ts';

function standingOf({ moved, unchanged }: Added, side: RuleSide): string {
  if (unchanged > 0) return `It stood on your ${listName(side)} already.`;
  const from = moved > 0 ? `, and no longer on your ${listName(otherSide(side))}` : '';
  return `It stands on your ${listName(side)} from now on${from}.`;
}

/** The button that held the focus goes with the change: its sentence takes the focus. */
const focused = (sentence: HTMLElement | null): void => sentence?.focus();

interface ListActionsProps {
  readonly kind: RuleKind;
  /** The address or the domain. */
  readonly entry: string;
  /** The two buttons' names. */
  readonly labels: Readonly<Record<RuleSide, string>>;
  /** The lists differ from those of before the first press, or are as before again. */
  readonly onChange?: (isChanged: boolean) => void;
  /** More buttons, beside them. */
  readonly children?: ReactNode;
}

/** Puts an address or a domain on one of the account's lists, and takes that back. */
export function ListActions({ kind, entry, labels, onChange, children }: ListActionsProps) {
  const organisation = useOrganisation();
  const api = useApi();
  const old = () => queryClient.invalidateQueries({ queryKey: rulesKey(organisation.id) });
  const put = useMutation({
    mutationFn: (side: RuleSide) => addRule(api, kind, side, entry),
    onSuccess: ({ unchanged }) => {
      undo.reset();
      if (unchanged === 0) onChange?.(true);
      return old();
    },
  });
  const undo = useMutation({
    mutationFn: async ({ side, added }: { readonly side: RuleSide; readonly added: Added }) => {
      if (added.moved > 0) {
        await addRule(api, kind, otherSide(side), entry);
        return `It stands on your ${listName(otherSide(side))} again.`;
      }
      await removeRule(api, kind, side, entry);
      return `It is off your ${listName(side)}.`;
    },
    onSuccess: (_, { added }) => {
      put.reset();
      onChange?.(added.unchanged > 0);
      return old();
    },
  });
  if (!roleAllows(organisation.role, 'member')) return null;
  const { data: added, variables: side } = put;
  const error = put.error ?? undo.error;
  const said = added !== undefined && side !== undefined ? standingOf(added, side) : undo.data;
  return (
    <Stack gap="xs" align="flex-start">
      {said !== undefined && (
        <Text key={said} ref={focused} tabIndex={-1} size="sm" role="status">
          {said}
        </Text>
      )}
      <Group gap="xs">
        {added !== undefined && side !== undefined ? (
          <Button size="xs" variant="default" onClick={() => undo.mutate({ side, added })} loading={undo.isPending}>
            {added.unchanged > 0 ? 'Take it off the list' : 'Undo'}
          </Button>
        ) : (
          (['block', 'allow'] as const).map((each) => (
            <Button
              key={each}
              size="xs"
              variant="default"
              onClick={() => put.mutate(each)}
              loading={put.isPending && side === each}
            >
              {labels[each]}
            </Button>
          ))
        )}
        {children}
      </Group>
      {error !== null && <ErrorNotice error={error} />}
    </Stack>
  );
}
