import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { AccountLosses, Losses as LossTable, PutLossesRequest } from '../../api/schema.ts';
import { dollarsAsTyped, formatEstimate } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { extremesOf, thresholdsOf } from '../../lib/thresholds.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { capital } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Maker } from '../../parts/maker.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';

const PURPOSES = [
  { purpose: 'signup', name: 'Signup', between: 'challenged' },
  { purpose: 'outbound', name: 'Outbound', between: 'held' },
  { purpose: 'list_hygiene', name: 'List hygiene', between: 'held' },
] as const;
type Purpose = (typeof PURPOSES)[number]['purpose'];

const FIELDS = [
  { field: 'bounce', name: 'A send that bounces' },
  { field: 'contact_lost', name: 'A good contact dropped' },
  { field: 'held_good', name: 'A good contact held' },
  { field: 'held_bad', name: 'A bad address held' },
] as const;

/** What follows from the losses, in a sentence. */
function consequence(losses: LossTable, between: string): string {
  const { send, drop } = thresholdsOf(losses);
  if (send >= 1) return 'Sent at every number.';
  if (drop <= 0) return 'Dropped at every number where enough is known.';
  const parts = [
    ...(send > 0 ? [`sent below ${formatEstimate(send)}`] : []),
    ...(drop > send ? [drop < 1 ? `${between} up to ${formatEstimate(drop)}` : `${between} above`] : []),
    ...(drop < 1 ? ['dropped above where enough is known'] : []),
  ];
  return `${capital(parts.join(', '))}.`;
}

/** As typed: a field gives text while a number is not finished, and nothing when it is emptied. */
type Typed = Record<keyof LossTable, number | string>;
type Tables = Record<Purpose, Typed>;

const typed = ({ bounce, contact_lost: lost, held_good: good, held_bad: bad }: LossTable): Typed => ({
  bounce: dollarsAsTyped(bounce),
  contact_lost: dollarsAsTyped(lost),
  held_good: dollarsAsTyped(good),
  held_bad: dollarsAsTyped(bad),
});

/** Null while a field is empty. */
function read({ bounce, contact_lost: lost, held_good: good, held_bad: bad }: Typed): LossTable | null {
  if ([bounce, lost, good, bad].some((value) => value === '' || !Number.isFinite(Number(value)))) return null;
  return { bounce: Number(bounce), contact_lost: Number(lost), held_good: Number(good), held_bad: Number(bad) };
}

function readAll(tables: Tables): Record<Purpose, LossTable> | null {
  const [signup, outbound, hygiene] = [read(tables.signup), read(tables.outbound), read(tables.list_hygiene)];
  return signup && outbound && hygiene && { signup, outbound, list_hygiene: hygiene };
}

function LossForm({ held }: { readonly held: AccountLosses }) {
  const api = useApi();
  const { id, role } = useOrganisation();
  const mayChange = roleAllows(role, 'admin');
  const [tables, setTables] = useState<Tables>({
    signup: typed(held.signup),
    outbound: typed(held.outbound),
    list_hygiene: typed(held.list_hygiene),
  });
  const save = useMutation({
    mutationFn: (body: PutLossesRequest) => answerOf(api.PUT('/v1/losses', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [id, 'losses'] }),
  });
  const now = readAll(tables);
  const isOtherThan = (other: PutLossesRequest): boolean =>
    now !== null &&
    PURPOSES.some(({ purpose }) => FIELDS.some(({ field }) => now[purpose][field] !== other[purpose]?.[field]));
  const isChanged = isOtherThan(held);
  const extremes = PURPOSES.flatMap(({ purpose, name, between }) => {
    const losses = now?.[purpose];
    const isSet = losses !== undefined && FIELDS.some(({ field }) => losses[field] !== held[purpose][field]);
    return isSet ? extremesOf(losses, between).map((text) => ({ purpose, name, text })) : [];
  });
  const [isAsking, setAsking] = useState(false);
  const isSent = !save.isError && save.variables !== undefined && !isOtherThan(save.variables);
  useUnsaved(isChanged && !isSent, 'Leave without saving what mistakes cost?');
  const set = (purpose: Purpose, field: keyof LossTable, value: number | string) =>
    setTables((old) => ({ ...old, [purpose]: { ...old[purpose], [field]: value } }));
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (now !== null && extremes.length > 0) setAsking(true);
          else if (now !== null) save.mutate(now);
        }}
      >
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="lg">
            {PURPOSES.map(({ purpose, name, between }) => (
              <Stack key={purpose} gap="xs" component="fieldset" className="plain-fieldset">
                <Title order={3} size="h6">
                  {name}
                </Title>
                {FIELDS.map(({ field, name: label }) => (
                  <NumberInput
                    key={field}
                    label={label}
                    aria-label={`${name}: ${label}`}
                    prefix="$"
                    min={0}
                    max={1_000_000}
                    step={0.01}
                    decimalScale={6}
                    allowNegative={false}
                    size="sm"
                    readOnly={!mayChange}
                    value={tables[purpose][field]}
                    onChange={(value) => set(purpose, field, value)}
                  />
                ))}
                <Text size="xs" c="dimmed" aria-live="polite">
                  {now === null ? 'Every field takes an amount.' : consequence(now[purpose], between)}
                </Text>
                {extremes
                  .filter((each) => each.purpose === purpose)
                  .map(({ text }) => (
                    <Group key={text} gap={6} wrap="nowrap" align="flex-start" role="status">
                      <Text component="span" lh={0} mt={2} c="var(--mark-poor)">
                        <Icon name="warning" size={15} />
                      </Text>
                      <Text size="xs">{text}</Text>
                    </Group>
                  ))}
              </Stack>
            ))}
          </SimpleGrid>
          <Group justify="space-between" gap="sm">
            <Text size="xs" c="dimmed" component="div">
              {held.created_at === null || held.created_by === null ? (
                'These are the service’s own losses.'
              ) : (
                <Group gap={4}>
                  Version {held.version}, <Time at={held.created_at} />, by <Maker id={held.created_by} />
                </Group>
              )}
            </Text>
            {mayChange && (
              <Group gap="xs">
                {held.version > 0 && (
                  <Button variant="default" size="sm" onClick={() => save.mutate({})} disabled={save.isPending}>
                    Back to the service’s own
                  </Button>
                )}
                <Button type="submit" size="sm" disabled={!isChanged} loading={save.isPending}>
                  Save
                </Button>
              </Group>
            )}
          </Group>
          {save.error !== null && <ErrorNotice error={save.error} />}
        </Stack>
      </form>
      <Confirm
        opened={isAsking}
        title="Save these losses?"
        action="Save them"
        isPending={save.isPending}
        error={null}
        onConfirm={() => {
          setAsking(false);
          if (now !== null) save.mutate(now);
        }}
        onClose={() => setAsking(false)}
      >
        {extremes.map(({ name, text }) => (
          <p key={`${name} ${text}`}>
            <b>{name}.</b> {text}
          </p>
        ))}
        They are in force for the next request.
      </Confirm>
    </>
  );
}

/** What each mistake costs, from which the recommendation follows. */
export function Losses() {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery({
    queryKey: [id, 'losses', 'in force'],
    queryFn: async () => (await answerOf(api.GET('/v1/losses'))).losses,
  });
  return (
    <Section
      title="What mistakes cost you"
      note="The recommendation is the action that costs least at the number. In force for the next request."
    >
      <Loaded query={query} lines={6}>
        {(losses) => <LossForm key={losses.version} held={losses} />}
      </Loaded>
    </Section>
  );
}
