import { Box, Button, Checkbox, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { type Member, membersQuery, usageQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { AlertsResponse, PutAlerts } from '../../api/schema.ts';
import { type Allowance, allowancesOf } from '../../lib/allowances.ts';
import { formatRow, formatShare } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { Form } from '../../parts/form.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Dimmed, Strong } from '../../parts/text.tsx';

type Alert = AlertsResponse['alerts'][number];

/** Percent of an allowance at which mails go out. */
const SHARES = [80, 100] as const;
const HEIGHT = 12;

const hasAlerts = ({ limit }: Allowance): boolean => limit !== null && limit > 0;

function usedText({ used, limit, format }: Allowance): string {
  if (limit === null) return `${format(used)} used, unlimited.`;
  if (limit <= 0) return 'No budget.';
  return `${format(used)} of ${format(limit)} used this month (${formatShare(used / limit)}).`;
}

/** Mails at 80 and 100% of a quota or budget, and their recipients. */
export function Alerts() {
  const { api, id } = useOrganisation();
  const usage = useQuery(usageQuery(id));
  const settings = useQuery({ queryKey: [id, 'alerts'], queryFn: () => answerOf(api.GET('/v1/alerts')) });
  const [isSaved, setSaved] = useState(false);
  return (
    <Section title="Alerts" note="Emails when a monthly allowance is nearly used and when it’s used up.">
      <Loaded query={usage} lines={6}>
        {(used) => (
          <Loaded query={settings} lines={6}>
            {(held) => (
              <AlertsForm
                key={JSON.stringify(held)}
                allowances={allowancesOf(used)}
                held={held}
                isSaved={isSaved}
                onSaved={() => setSaved(true)}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

const nameOf = ({ of, share }: Pick<Alert, 'of' | 'share'>): string => `${of} ${share}`;

interface AlertsFormProps {
  readonly allowances: readonly Allowance[];
  readonly held: AlertsResponse;
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

function AlertsForm({ allowances, held, isSaved, onSaved }: AlertsFormProps) {
  const { api, id, role } = useOrganisation();
  const mayChange = roleAllows(role, 'admin');
  const [on, setOn] = useState<ReadonlySet<string>>(
    new Set(held.alerts.filter(({ enabled }) => enabled).map((alert) => nameOf(alert))),
  );
  const [recipients, setRecipients] = useState<readonly string[]>(held.recipients ?? []);
  const save = useMutation({
    mutationFn: (body: PutAlerts) => answerOf(api.PUT('/v1/alerts', { body })),
    onSuccess: (saved) => {
      onSaved();
      queryClient.setQueryData([id, 'alerts'], saved);
    },
  });
  const changed = held.alerts.filter((alert) => alert.enabled !== on.has(nameOf(alert)));
  const areOthers = recipients.join() !== (held.recipients ?? []).join();
  const isChanged = changed.length > 0 || areOthers;
  useUnsaved(isChanged, 'Leave without saving the alerts?');
  const toggle = (name: string) =>
    setOn((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return (
    <Form
      onSubmit={() =>
        save.mutate({
          alerts: changed.map(({ of, share, enabled }) => ({ of, share, enabled: !enabled })),
          ...(areOthers && { recipients: recipients.length === 0 ? null : [...recipients] }),
        })
      }
    >
      <Stack gap="lg">
        {allowances.map((allowance) => (
          <Box key={allowance.of} component="fieldset" className="plain-fieldset">
            <Strong component="legend">{allowance.name}</Strong>
            {hasAlerts(allowance) && <Bar share={Math.min(1, allowance.used / (allowance.limit ?? 1))} />}
            <Group justify="space-between" gap="xs">
              <Dimmed className="numbers" flex="1 1 220px">
                {usedText(allowance)}
              </Dimmed>
              {hasAlerts(allowance) && (
                <Group gap="md">
                  {SHARES.map((share) => {
                    const name = nameOf({ of: allowance.of, share });
                    return (
                      <Checkbox
                        key={share}
                        label={`Email at ${formatShare(share / 100)}`}
                        aria-label={`${allowance.name}: email at ${formatShare(share / 100)}`}
                        checked={on.has(name)}
                        disabled={!mayChange}
                        onChange={() => toggle(name)}
                      />
                    );
                  })}
                </Group>
              )}
            </Group>
          </Box>
        ))}
        {mayChange ? (
          <Recipients chosen={recipients} onChoose={setRecipients} isMailed={on.size > 0} />
        ) : (
          <Text size="sm">{held.recipients === null ? 'Every admin is emailed.' : 'Chosen members are emailed.'}</Text>
        )}
        {save.error !== null && <ErrorNotice error={save.error} />}
        {mayChange && (
          <Group justify="flex-end">
            <Text size="sm" role="status">
              {isSaved && !isChanged && 'Saved.'}
            </Text>
            <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </Form>
  );
}

interface RecipientsProps {
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly isMailed: boolean;
}

const memberText = ({ name, email }: Member): string => (name === null ? email : `${name} (${email})`);

/** Members only: the service mails no other address. */
function Recipients({ chosen, onChoose, isMailed }: RecipientsProps) {
  const { id } = useOrganisation();
  const query = useQuery(membersQuery(id));
  return (
    <Loaded query={query} lines={2}>
      {(members) => {
        // Former members get none.
        const left = chosen.filter((person) => members.some((member) => member.id === person));
        const admins = members.filter(({ role }) => role === 'admin').map(({ email }) => email);
        return (
          <Stack gap={6}>
            <MultiSelect
              label="Recipients"
              placeholder={left.length === 0 ? 'Every admin' : ''}
              data={members.map((member) => ({ value: member.id, label: memberText(member) }))}
              value={left}
              onChange={onChoose}
              searchable
              clearable
              maw={560}
              clearButtonProps={{ 'aria-label': 'Use every admin' }}
            />
            <Dimmed style={{ overflowWrap: 'anywhere' }}>
              {!isMailed
                ? 'All alerts are off.'
                : left.length === 0
                  ? `Sent to ${formatRow(admins)}.`
                  : 'If they all leave, every admin is emailed.'}{' '}
              <ScreenLink to="members">See members</ScreenLink>
            </Dimmed>
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Usage bar with a mark at the first mail. */
const Bar = ({ share }: { readonly share: number }) => (
  <Box my={4}>
    <svg width="100%" height={HEIGHT} aria-hidden="true" display="block">
      <rect width="100%" height={HEIGHT} rx={3} fill="var(--line)" />
      <rect
        width={`${share * 100}%`}
        height={HEIGHT}
        rx={3}
        fill={share >= 1 ? 'var(--mark-bad)' : share >= SHARES[0] / 100 ? 'var(--mark-wait)' : 'var(--series)'}
      />
      <line
        x1={`${SHARES[0]}%`}
        x2={`${SHARES[0]}%`}
        y1={0}
        y2={HEIGHT}
        stroke="var(--mantine-color-text)"
        strokeWidth={2}
      />
    </svg>
  </Box>
);
