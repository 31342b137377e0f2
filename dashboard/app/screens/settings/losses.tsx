import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { AccountLosses, Losses as LossTable, PutLossesRequest, LossSimulation } from '../../api/schema.ts';
import { dollarsAsTyped, formatCount, formatList, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { isSame } from '../../lib/same.ts';
import { type Between, extremesOf, isWide, limitText, movesOf, moveText, thresholdsOf } from '../../lib/thresholds.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { capital, word } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Maker } from '../../parts/maker.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

const PURPOSES = [
  { purpose: 'signup', name: 'Signup', between: 'challenged' },
  { purpose: 'outbound', name: 'Outbound', between: 'held' },
  { purpose: 'list_hygiene', name: 'List hygiene', between: 'held' },
] as const;
type Purpose = (typeof PURPOSES)[number]['purpose'];

const FIELDS = [
  { field: 'bounce', name: 'Sending to a bad address' },
  { field: 'contact_lost', name: 'Dropping a good contact' },
  { field: 'held_good', name: 'Holding a good contact' },
  { field: 'held_bad', name: 'Holding a bad address' },
] as const;

/** The resulting thresholds in a sentence. */
function consequence(losses: LossTable, between: Between): string {
  const { send, drop } = thresholdsOf(losses);
  if (send >= 1) return 'Always sent.';
  if (drop <= 0) return 'Dropped whenever there’s enough evidence.';
  const [sent, dropped] = [limitText(send), limitText(drop)];
  if (drop <= send) return `Sent below ${sent}, dropped above if there’s enough evidence.`;
  const middle = drop < 1 ? `${between} up to ${dropped}, dropped above if there’s enough evidence.` : null;
  if (send <= 0) return capital(middle ?? `${between} at any risk.`);
  return `Sent below ${sent}, ${middle ?? `${between} above.`}`;
}

/** Typed values: text while a number is unfinished, empty once cleared. */
type Typed = Record<keyof LossTable, number | string>;
type Tables = Record<Purpose, Typed>;

const typed = ({ bounce, contact_lost: lost, held_good: good, held_bad: bad }: LossTable): Typed => ({
  bounce: dollarsAsTyped(bounce),
  contact_lost: dollarsAsTyped(lost),
  held_good: dollarsAsTyped(good),
  held_bad: dollarsAsTyped(bad),
});

const tablesOf = ({ signup, outbound, list_hygiene: hygiene }: AllLosses): Tables => ({
  signup: typed(signup),
  outbound: typed(outbound),
  list_hygiene: typed(hygiene),
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

type AllLosses = Readonly<Record<Purpose, LossTable>>;

const areSame = (one: PutLossesRequest, other: PutLossesRequest): boolean =>
  PURPOSES.every(({ purpose }) => isSame(one[purpose], other[purpose]));

const movesFrom = (before: AllLosses, after: AllLosses) =>
  PURPOSES.flatMap(({ purpose, name, between }) =>
    movesOf(before[purpose], after[purpose], between).map((move) => ({ name, move })),
  );

const effectsOf = (moves: ReturnType<typeof movesFrom>): readonly Effect[] =>
  moves.map(({ name, move }) => ({ name, text: moveText(move) }));

interface LossFormProps {
  readonly held: AccountLosses;
  /** The service's defaults; null until known. */
  readonly own: AccountLosses | null;
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

function LossForm({ held, own, isSaved, onSaved }: LossFormProps) {
  const { api, id, role } = useOrganisation();
  const mayChange = roleAllows(role, 'admin');
  const [tables, setTables] = useState(() => tablesOf(held));
  // A cost may have more decimals than its field shows.
  const shown = readAll(tablesOf(held)) ?? held;
  const save = useMutation({
    mutationFn: (body: PutLossesRequest) => answerOf(api.PUT('/v1/losses', { body })),
    onSuccess: async () => {
      onSaved();
      await queryClient.invalidateQueries({ queryKey: [id, 'losses', 'in-force'] });
      await queryClient.invalidateQueries({ queryKey: [id, 'losses'], exact: true });
    },
  });
  const now = readAll(tables);
  const isChanged = now !== null && !areSame(now, shown);
  const extremes = PURPOSES.flatMap(({ purpose, name, between }) => {
    const losses = now?.[purpose];
    return losses !== undefined && !isSame(losses, shown[purpose])
      ? extremesOf(losses, between).map((text) => ({ purpose, name, text }))
      : [];
  });
  const [asked, setAsked] = useState<'own' | 'typed' | null>(null);
  const close = () => setAsked(null);
  const isOwn = own === null ? held.version === 0 : areSame(held, own);
  const moves = now === null ? [] : movesFrom(held, now);
  const isSent = !save.isError && save.variables !== undefined && now !== null && areSame(now, save.variables);
  useUnsaved(isChanged && !isSent, 'Leave without saving your costs of mistakes?');
  const set = (purpose: Purpose, field: keyof LossTable, value: number | string) =>
    setTables((old) => ({ ...old, [purpose]: { ...old[purpose], [field]: value } }));
  return (
    <>
      <Form
        onSubmit={() => {
          if (extremes.length > 0 || moves.some(({ move }) => isWide(move))) setAsked('typed');
          else if (now !== null) save.mutate(now);
        }}
      >
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="lg">
            {PURPOSES.map(({ purpose, name, between }) => {
              const losses = read(tables[purpose]);
              return (
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
                      error={tables[purpose][field] === ''}
                      onChange={(value) => set(purpose, field, value)}
                    />
                  ))}
                  <Small aria-live="polite">
                    {losses === null ? 'Enter an amount in every field.' : consequence(losses, between)}
                  </Small>
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
              );
            })}
          </SimpleGrid>
          <Group justify="space-between" gap="sm">
            <Small component="div">
              {isOwn && <div>Service defaults.</div>}
              {held.created_at !== null && held.created_by !== null && (
                <Group gap={4}>
                  <span>
                    Version {held.version}, <Time at={held.created_at} />, by
                  </span>
                  <Maker id={held.created_by} />
                </Group>
              )}
              <div role="status">{isSaved && !isChanged && 'Saved.'}</div>
            </Small>
            {mayChange && (
              <Group gap="xs">
                {own !== null && !isOwn && (
                  <Button variant="default" size="sm" onClick={() => setAsked('own')} disabled={save.isPending}>
                    Reset to defaults
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
      </Form>
      <Confirm
        opened={asked === 'typed'}
        title="Save these costs?"
        action="Save"
        onConfirm={() => {
          close();
          if (now !== null) save.mutate(now);
        }}
        onClose={close}
      >
        {now !== null && <LossesChange losses={now} effects={[...extremes, ...effectsOf(moves)]} />}
      </Confirm>
      <Confirm
        opened={asked === 'own'}
        title="Reset to defaults?"
        action="Reset"
        onConfirm={() => {
          close();
          save.mutate({});
        }}
        onClose={close}
      >
        {own !== null && <LossesChange losses={{}} effects={effectsOf(movesFrom(held, own))} />}
      </Confirm>
    </>
  );
}

export function Losses() {
  const { api, id } = useOrganisation();
  const query = useQuery({
    queryKey: [id, 'losses', 'in-force'],
    queryFn: async () => (await answerOf(api.GET('/v1/losses'))).losses,
  });
  const own = useQuery({
    queryKey: [id, 'losses', 'own'],
    queryFn: async () => (await answerOf(api.GET('/v1/losses', { params: { query: { version: 0 } } }))).losses,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [isSaved, setSaved] = useState(false);
  return (
    <Section title="Costs of mistakes" note="The recommendation is the action with the lowest expected cost.">
      <Loaded query={query} lines={6}>
        {(losses) => (
          <LossForm
            key={losses.version}
            held={losses}
            own={own.data ?? null}
            isSaved={isSaved}
            onSaved={() => setSaved(true)}
          />
        )}
      </Loaded>
    </Section>
  );
}

const WINDOW_DAYS = 30;

/** Effect of new losses for one purpose. */
interface Effect {
  readonly name: string;
  readonly text: string;
}

function countedText({ traces, changed }: LossSimulation): string {
  const moves = changed.map(({ from, to, count }) => `${formatCount(count)} from ${word(from)} to ${word(to)}`);
  if (moves.length === 0)
    return plural(
      traces,
      'No recommendation changes in # verification of the last 30 days.',
      'No recommendation changes in # verifications of the last 30 days.',
    );
  const list = formatList(moves);
  return plural(
    traces,
    `Changes in # verification of the last 30 days: ${list}.`,
    `Changes in # verifications of the last 30 days: ${list}.`,
  );
}

/** Effects of new losses, shown before saving: per purpose, and on recent verifications. */
function LossesChange({ losses, effects }: { readonly losses: PutLossesRequest; readonly effects: readonly Effect[] }) {
  const { api, id } = useOrganisation();
  const counted = useQuery({
    queryKey: [id, 'losses', 'simulation', losses],
    queryFn: () => answerOf(api.POST('/v1/losses/simulate', { body: { losses, window_days: WINDOW_DAYS } })),
    retry: false,
  });
  return (
    <Stack gap="xs">
      {effects.map(({ name, text }) => (
        <Text key={`${name} ${text}`} size="sm">
          <b>{name}.</b> {text}
        </Text>
      ))}
      {effects.length === 0 && <Text size="sm">No threshold moves.</Text>}
      {counted.data !== undefined && <Text size="sm">{countedText(counted.data)}</Text>}
      <Text size="sm">They apply from the next request.</Text>
    </Stack>
  );
}
