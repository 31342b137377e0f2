import { Anchor, Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { membersQuery } from '../../api/people.ts';
import { usageQuery } from '../../api/queries.ts';
import type { Usage } from '../../api/schema.ts';
import { formatCount, formatDollars, formatShare } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

/** The shares of an allowance that are mailed about. */
const SHARES = [0.8, 1] as const;
const HEIGHT = 12;

interface Allowance {
  readonly name: string;
  readonly used: number;
  /** Null: it has no bound, and no alert. */
  readonly limit: number | null;
  readonly format: (amount: number) => string;
}

const bound = (limit: number | null): number | null => (limit === null || limit <= 0 ? null : limit);

const allowancesOf = ({ quota, screening, budgets, calls }: Usage): readonly Allowance[] => [
  { name: 'Verifications', used: quota.used, limit: bound(quota.limit), format: formatCount },
  {
    name: 'Screenings',
    used: screening.used ?? calls.screen,
    limit: bound(screening.quota),
    format: formatCount,
  },
  {
    name: 'Provider budget',
    used: budgets.providers.used_usd,
    limit: bound(budgets.providers.limit_usd),
    format: formatDollars,
  },
  {
    name: 'Enrichment budget',
    used: budgets.enrichment.used_usd,
    limit: bound(budgets.enrichment.limit_usd),
    format: formatDollars,
  },
];

/** Which mails the month has had, and which are still to come. */
function stateText({ used, limit, format }: Allowance): string {
  if (limit === null) return `${format(used)} used. It has no bound, so that there is no alert.`;
  const share = used / limit;
  const next = SHARES.find((each) => share < each);
  const sent = SHARES.filter((each) => share >= each).map((each) => formatShare(each));
  return [
    `${format(used)} of ${format(limit)} used (${formatShare(share)}).`,
    sent.length > 0 && `Reached this month: ${sent.join(' and ')}.`,
    next !== undefined && `The next mail goes out at ${format(next * limit)}.`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/** The mails at 80 and 100 % of a quota or budget: what they are about, who gets them, how far the month is. */
export function Alerts() {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery(usageQuery(api, id));
  return (
    <Section title="Alerts" note="A mail at 80 % and at 100 % of each allowance of the month, once for each share.">
      <Loaded query={query} lines={6}>
        {(usage) => (
          <Stack gap="md">
            {allowancesOf(usage).map((allowance) => (
              <div key={allowance.name}>
                <Text size="sm" fw={500}>
                  {allowance.name}
                </Text>
                {allowance.limit !== null && <Bar share={Math.min(1, allowance.used / allowance.limit)} />}
                <Text size="sm" c="dimmed" className="numbers">
                  {stateText(allowance)}
                </Text>
              </div>
            ))}
            <Receivers />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

/** How much is used, with a mark where a mail goes out. */
const Bar = ({ share }: { readonly share: number }) => (
  <Box my={4}>
    <svg width="100%" height={HEIGHT} aria-hidden="true" display="block">
      <rect width="100%" height={HEIGHT} rx={3} fill="var(--line)" />
      <rect
        width={`${share * 100}%`}
        height={HEIGHT}
        rx={3}
        fill={share >= 1 ? 'var(--mark-bad)' : share >= SHARES[0] ? 'var(--mark-wait)' : 'var(--series)'}
      />
      <line
        x1={`${SHARES[0] * 100}%`}
        x2={`${SHARES[0] * 100}%`}
        y1={0}
        y2={HEIGHT}
        stroke="var(--mantine-color-text)"
        strokeWidth={2}
      />
    </svg>
  </Box>
);

/** Admins get the mails. Only an admin may see who that is. */
function Receivers() {
  const api = useApi();
  const { id, role } = useOrganisation();
  const isAdmin = roleAllows(role, 'admin');
  const members = useQuery({ ...membersQuery(api, id), enabled: isAdmin });
  const admins = members.data?.filter((member) => member.role === 'admin').map(({ email }) => email) ?? [];
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text component="span" lh={0} mr={6} style={{ verticalAlign: 'middle' }}>
        <Icon name="members" size={16} />
      </Text>
      {admins.length === 0 ? 'The admins of the organisation get them.' : `They go to ${admins.join(', ')}.`}{' '}
      {isAdmin && (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/$organisation/members" params={{ organisation: id }} {...props} />}
        >
          Change who is an admin
        </Anchor>
      )}
    </Text>
  );
}
