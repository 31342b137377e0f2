import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { organisationQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { meQuery } from '../../api/session.ts';
import { formatCount, formatDollars } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

/** The organisation's name and id. */
export function General() {
  const api = useApi();
  const { id, name, role } = useOrganisation();
  const [typed, setTyped] = useState(name);
  const rename = useMutation({
    mutationFn: () => answerOf(api.PATCH('/v1/organisation', { body: { name: typed.trim() } })),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: [id, 'organisation'] }),
      ]),
  });
  const isChanged = typed.trim() !== '' && typed.trim() !== name;
  return (
    <Section title="General">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) rename.mutate();
        }}
      >
        <Stack gap="md">
          <Group align="flex-end" gap="xs">
            <TextInput
              label="Name"
              flex={1}
              miw={200}
              maw={420}
              maxLength={100}
              required
              value={typed}
              readOnly={!roleAllows(role, 'admin')}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {roleAllows(role, 'admin') && (
              <Button type="submit" variant="default" disabled={!isChanged} loading={rename.isPending}>
                Rename
              </Button>
            )}
          </Group>
          {rename.error !== null && <ErrorNotice error={rename.error} />}
          <Group gap={4} wrap="nowrap">
            <Text size="sm" c="dimmed">
              Id
            </Text>
            <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
            <Copy text={id} label="Copy organisation id" />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

const orUnlimited = (limit: number): string => (limit <= 0 ? 'Unlimited' : formatCount(limit));

/** What the service's operator has set. */
export function Limits() {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery(organisationQuery(api, id));
  return (
    <Section title="Limits" note="Per UTC month. Set by your operator.">
      <Loaded query={query} lines={2}>
        {(limits) => (
          <Facts
            facts={[
              { name: 'Verifications', value: orUnlimited(limits.verification_quota) },
              { name: 'Screenings', value: orUnlimited(limits.screening_allowance) },
              {
                name: 'Providers',
                value: limits.provider_budget_usd === null ? 'Unlimited' : formatDollars(limits.provider_budget_usd),
              },
              { name: 'Enrichment', value: formatDollars(limits.enrichment_budget_usd) },
              { name: 'Calls per minute', value: formatCount(limits.rate_per_minute) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
