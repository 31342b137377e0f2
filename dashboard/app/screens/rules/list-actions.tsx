import { Button, Group, Stack, Text } from '@mantine/core';
import { queryClient } from '../../api/query-client.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { ErrorNotice } from '../../parts/notices.tsx';
import { type Added, addAddresses, addDomains, rulesKey } from './queries.ts';
import type { RuleKind, RuleSide } from './types.ts';

function standingOf({ moved, unchanged }: Added, side: RuleSide): string {
  if (unchanged > 0) return `It stood on your ${side} list already.`;
  const from = moved > 0 ? `, and no longer on your ${side === 'block' ? 'allow' : 'block'} list` : '';
  return `It stands on your ${side} list from now on${from}.`;
}

interface ListActionsProps {
  readonly kind: RuleKind;
  /** The address or the domain. */
  readonly entry: string;
  /** The two buttons' names. */
  readonly labels: Readonly<Record<RuleSide, string>>;
}

/** Puts an address or a domain on one of the account's lists. */
export function ListActions({ kind, entry, labels }: ListActionsProps) {
  const organisation = useOrganisation();
  const api = useApi();
  const put = useMutation({
    mutationFn: (side: RuleSide) => (kind === 'domain' ? addDomains : addAddresses)(api, side, [entry], ''),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: rulesKey(organisation.id) }),
  });
  if (!roleAllows(organisation.role, 'member')) return null;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {(['block', 'allow'] as const).map((side) => (
          <Button
            key={side}
            size="xs"
            variant="default"
            onClick={() => put.mutate(side)}
            loading={put.isPending && put.variables === side}
          >
            {labels[side]}
          </Button>
        ))}
      </Group>
      {put.isSuccess && (
        <Text size="sm" role="status">
          {standingOf(put.data, put.variables)}
        </Text>
      )}
      {put.error !== null && <ErrorNotice error={put.error} />}
    </Stack>
  );
}
