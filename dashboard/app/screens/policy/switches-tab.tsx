import { Group, Select, Slider, Stack, Text, Title, Switch as Toggle } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import type { PolicyDocument } from '../../api/schema.ts';
import { Histogram } from '../../charts/histogram.tsx';
import { formatCount, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { NUMBER_RULE, numberLimit, SWITCHES, type Switch, switchState, withNumberLimit, withSwitch } from './draft.ts';

interface TabProps {
  readonly document: PolicyDocument;
  readonly onChange: (document: PolicyDocument) => void;
  readonly mayEdit: boolean;
}

const KINDS: Readonly<Record<Switch, { readonly title: string; readonly what: string }>> = {
  disposable: { title: 'Disposable addresses', what: 'Made to be thrown away.' },
  relay: { title: 'Relay addresses', what: 'Forward to a person who hides: iCloud’s “Hide My Email” is one.' },
  role: { title: 'Role addresses', what: 'info@, sales@: read by several people, or by nobody.' },
  free: { title: 'Free mailboxes', what: 'Gmail, Outlook, Yahoo and their like.' },
};

const DECISIONS = [
  { value: 'none', label: 'As any other address' },
  { value: 'allow', label: 'Allow' },
  { value: 'review', label: 'Review' },
  { value: 'challenge', label: 'Challenge' },
  { value: 'deny', label: 'Deny' },
] as const;

/** A decision a kind of address. Each switch sets the rule and its place. */
export function SwitchesTab({ document, onChange, mayEdit }: TabProps) {
  return (
    <Stack gap="lg">
      {SWITCHES.map((type) => {
        const state = switchState(document, type);
        const { title, what } = KINDS[type];
        return (
          <Group key={type} justify="space-between" align="center" gap="sm">
            <div>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              <Text size="sm" c="dimmed">
                {what}
              </Text>
            </div>
            {state === 'custom' ? (
              <Text size="sm">A rule of your own decides: see Rules.</Text>
            ) : (
              <Select
                aria-label={title}
                w={210}
                allowDeselect={false}
                disabled={!mayEdit}
                data={DECISIONS.map((each) => ({ ...each }))}
                value={state}
                onChange={(value) => onChange(withSwitch(document, type, value ?? 'none'))}
              />
            )}
          </Group>
        );
      })}
      <NumberLimit document={document} onChange={onChange} mayEdit={mayEdit} />
    </Stack>
  );
}

/** A limit on the number itself, over the numbers that the account has had. */
function NumberLimit({ document, onChange, mayEdit }: TabProps) {
  const organisation = useOrganisation();
  const api = useApi();
  const limit = numberLimit(document);
  const rule = document.rules.find(({ id }) => id === NUMBER_RULE);
  const decision = rule?.decision === 'review' || rule?.decision === 'deny' ? rule.decision : 'challenge';
  const query = useQuery({
    queryKey: [organisation.id, 'traces', 'numbers'],
    queryFn: () => answerOf(api.GET('/v1/traces', { params: { query: { limit: 200 } } })),
    staleTime: 300_000,
  });
  return (
    <Stack gap="sm">
      <Title order={3} size="h6">
        A limit on the number
      </Title>
      <Group justify="space-between">
        <Toggle
          label="Decide by the bounce probability alone, above a limit"
          disabled={!mayEdit}
          checked={limit !== null}
          onChange={(event) => onChange(withNumberLimit(document, event.currentTarget.checked ? 0.5 : null, decision))}
        />
        {limit !== null && (
          <Select
            aria-label="Decision above the limit"
            w={150}
            allowDeselect={false}
            disabled={!mayEdit}
            data={[
              { value: 'review', label: 'Review' },
              { value: 'challenge', label: 'Challenge' },
              { value: 'deny', label: 'Deny' },
            ]}
            value={decision}
            onChange={(value) => onChange(withNumberLimit(document, limit, value ?? 'challenge'))}
          />
        )}
      </Group>
      {limit !== null && (
        <Loaded query={query} lines={2}>
          {({ traces }) => {
            const numbers = traces.map(({ bounce_probability: number }) => number);
            const above = numbers.filter((number) => number >= limit).length;
            return (
              <>
                <Histogram values={numbers} limit={limit} title={`The last ${formatCount(numbers.length)} numbers`} />
                <Slider
                  thumbLabel="Limit on the bounce probability"
                  min={0.01}
                  max={1}
                  step={0.01}
                  disabled={!mayEdit}
                  value={limit}
                  label={(value) => formatShare(value)}
                  onChange={(value) => onChange(withNumberLimit(document, value, decision))}
                />
                <Text size="sm" className="numbers">
                  At {formatShare(limit)} or above: {formatCount(above)} of the last {formatCount(numbers.length)}.
                </Text>
              </>
            );
          }}
        </Loaded>
      )}
    </Stack>
  );
}
