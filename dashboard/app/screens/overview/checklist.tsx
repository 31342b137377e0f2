import { Anchor, Group, SimpleGrid, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf } from '../../api/client.ts';
import { usageQuery } from '../../api/queries.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { Section } from '../../parts/page.tsx';
import { calibrationQuery } from '../learning/queries.ts';

/** The first day: from what the account has. It goes once everything is done. */
export function Checklist() {
  const organisation = useOrganisation();
  const api = useApi();
  const isAdmin = roleAllows(organisation.role, 'admin');
  const { id } = organisation;
  const [usage, policy, calibration, keys, connections] = useQueries({
    queries: [
      usageQuery(api, id),
      {
        queryKey: [id, 'policy', 'default'],
        queryFn: () => answerOf(api.GET('/v1/policies/{slug}', { params: { path: { slug: 'default' } } })),
      },
      calibrationQuery(api, id),
      {
        queryKey: [id, 'keys'],
        queryFn: () => answerOf(api.GET('/v1/keys', { params: { query: { limit: 200 } } })),
        enabled: isAdmin,
      },
      { queryKey: [id, 'connections', 'any'], queryFn: () => answerOf(api.GET('/v1/connections')), enabled: isAdmin },
    ],
  });
  const calls = usage.data?.calls;
  const steps = [
    ...(isAdmin
      ? [
          {
            title: 'Create key for your server',
            to: 'keys',
            isDone: keys.data?.keys.some(({ origin, revoked_at: revoked }) => origin === 'manual' && revoked === null),
          },
        ]
      : []),
    {
      title: 'Check a first address',
      to: 'try',
      isDone: calls && calls.verify + calls.decide + calls.check + calls.screen + calls.bulk > 0,
    },
    {
      title: 'Set up your policy',
      to: 'policy',
      isDone: policy.data && policy.data.policy.version > 1,
    },
    ...(isAdmin
      ? [
          {
            title: 'Connect your mail service',
            to: 'connections',
            isDone: connections.data && connections.data.connections.length > 0,
          },
        ]
      : []),
    {
      title: 'Report outcomes to improve accuracy',
      to: 'learning',
      isDone: calibration.data?.state === 'fitted',
    },
  ];
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  const open = steps.filter(({ isDone }) => isDone !== true).length;
  if (!isKnown || open === 0) return null;
  return (
    <Section title="Get started" note={`${steps.length - open} of ${steps.length} done`}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xs">
        {steps.map(({ title, to, isDone }) => (
          <Group key={to} gap="sm" wrap="nowrap">
            <Text component="span" lh={0} c={isDone === true ? 'var(--mark-good)' : 'dimmed'}>
              <Icon name={isDone === true ? 'check' : 'plus'} />
            </Text>
            {isDone === true ? (
              <Text size="sm" c="dimmed">
                {title} (done)
              </Text>
            ) : (
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to={`/$organisation/${to}` as '/$organisation/try'} params={{ organisation: id }} {...props} />
                )}
              >
                {title}
              </Anchor>
            )}
          </Group>
        ))}
      </SimpleGrid>
    </Section>
  );
}
