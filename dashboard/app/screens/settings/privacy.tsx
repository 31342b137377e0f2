import { Anchor, Button, Group, NumberInput, SimpleGrid, Stack, Switch, Text, Code, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { RetentionResponse, Subprocessors, ErasureReceipt } from '../../api/schema.ts';
import { formatList, formatCount, formatLocalTime } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { saveFile } from '../../parts/export.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Form } from '../../parts/form.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Dimmed, Small, Strong } from '../../parts/text.tsx';
import { askOf, faultOf } from '../rules/forms.ts';

type Days = RetentionResponse['retention'];
type Subprocessor = Subprocessors['subprocessors'][number];

const DAYS_MIN = 30;

const KINDS: readonly {
  readonly kind: keyof Days;
  readonly name: string;
  readonly holds: string;
  readonly max: number;
}[] = [
  { kind: 'traces', name: 'Log', holds: 'Verifications, screenings and segments', max: 400 },
  { kind: 'details', name: 'Replays', holds: 'Details behind each verification', max: 90 },
  { kind: 'outcomes', name: 'Outcomes', holds: 'Reported by mail services, imports and you', max: 400 },
  { kind: 'events', name: 'Events', holds: 'What signups did next', max: 400 },
  { kind: 'history', name: 'History', holds: 'What was learned about an address, since its last update', max: 400 },
];

function RetentionForm({ held }: { readonly held: Days }) {
  const { api, id, role } = useOrganisation();
  const mayChange = roleAllows(role, 'admin');
  // A cleared field has no number.
  const [typed, setTyped] = useState<Record<keyof Days, number | string>>(held);
  const daysOf = (kind: keyof Days): number => (typed[kind] === '' ? held[kind] : Number(typed[kind]));
  const days = {
    traces: daysOf('traces'),
    details: daysOf('details'),
    outcomes: daysOf('outcomes'),
    events: daysOf('events'),
    history: daysOf('history'),
  };
  const save = useMutation({
    mutationFn: (body: Days) => answerOf(api.PUT('/v1/retention', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [id, 'retention'] }),
  });
  const isChanged = KINDS.some(({ kind }) => days[kind] !== held[kind]);
  const isSent = !save.isError && KINDS.every(({ kind }) => days[kind] === save.variables?.[kind]);
  useUnsaved(isChanged && !isSent, 'Leave without saving how long data is kept?');
  const shorter = KINDS.filter(({ kind }) => days[kind] < held[kind]);
  return (
    <Form onSubmit={() => save.mutate(days)}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
          {KINDS.map(({ kind, name, holds, max }) => (
            <NumberInput
              key={kind}
              label={`${name}, in days`}
              description={holds}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={DAYS_MIN}
              max={max}
              clampBehavior="blur"
              allowDecimal={false}
              readOnly={!mayChange}
              value={typed[kind]}
              onChange={(value) => setTyped((old) => ({ ...old, [kind]: value }))}
            />
          ))}
        </SimpleGrid>
        {mayChange && (
          <Group justify="space-between" gap="sm">
            <Dimmed aria-live="polite" flex="1 1 200px">
              {shorter.length > 0 &&
                `Older data is deleted tonight for good: ${formatList(shorter.map(({ name }) => name.toLowerCase()))}.`}
            </Dimmed>
            <Button type="submit" disabled={!isChanged} loading={save.isPending}>
              Save
            </Button>
          </Group>
        )}
        {save.error !== null && <ErrorNotice error={save.error} />}
      </Stack>
    </Form>
  );
}

export function Retention() {
  const { api, id } = useOrganisation();
  const query = useQuery({
    queryKey: [id, 'retention'],
    queryFn: async () => (await answerOf(api.GET('/v1/retention'))).retention,
  });
  return (
    <Section title="Retention" note="Uploaded files are always deleted after 7 days.">
      <Loaded query={query} lines={4}>
        {(retention) => <RetentionForm key={JSON.stringify(retention)} held={retention} />}
      </Loaded>
    </Section>
  );
}

const KIND_NAMES: Readonly<Record<string, string>> = { dns: 'DNS', model: 'Language model' };

function VendorRow({ vendor }: { readonly vendor: Subprocessor }) {
  const { api, id: organisationId, role } = useOrganisation();
  const { id, name, kind, sent, gets_address: getsAddress, retention, switchable, enabled } = vendor;
  const gets = formatList(getsAddress ? [...sent, 'the address'] : sent);
  const change = useMutation({
    mutationFn: (on: boolean) =>
      answerOf(api.PATCH('/v1/subprocessors/{id}', { params: { path: { id } }, body: { enabled: on } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [organisationId, 'subprocessors'] }),
  });
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Strong>{name}</Strong>
          <Dimmed>
            {KIND_NAMES[kind] ?? label(kind)} · gets {gets}
          </Dimmed>
          {retention !== null && (
            <Small>
              {retention.source === null ? (
                `Retention not published (${retention.read_on})`
              ) : (
                <>
                  It says: “{retention.says}” (
                  <Anchor href={retention.source} target="_blank" rel="noreferrer noopener" inherit>
                    its page
                  </Anchor>
                  , {retention.read_on})
                </>
              )}
            </Small>
          )}
        </div>
        {switchable ? (
          <Switch
            aria-label={`Use ${name}`}
            checked={change.isPending ? change.variables : enabled}
            disabled={!roleAllows(role, 'admin')}
            onChange={(event) => change.mutate(event.currentTarget.checked)}
          />
        ) : (
          <Small style={{ whiteSpace: 'nowrap' }}>Always</Small>
        )}
      </Group>
      {change.error !== null && <ErrorNotice error={change.error} />}
    </Stack>
  );
}

export function Vendors() {
  const { api, id } = useOrganisation();
  const query = useQuery({
    queryKey: [id, 'subprocessors'],
    queryFn: async () => (await answerOf(api.GET('/v1/subprocessors'))).subprocessors,
  });
  return (
    <Section title="Subprocessors" note="Turn one off to stop sending data to it.">
      <Loaded query={query} lines={5}>
        {(vendors) => (
          <Stack gap="md">
            {vendors.map((vendor) => (
              <VendorRow key={vendor.id} vendor={vendor} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

/** Export and erasure of a person's data. The address stays in this page's memory. */
export function PersonData() {
  const { api } = useOrganisation();
  const [email, setEmail] = useState('');
  const [suppress, setSuppress] = useState(true);
  const [isAsking, setAsking] = useState(false);
  const address = email.trim();
  const isReady = address !== '' && faultOf('address', address) === null;
  const read = useMutation({
    mutationFn: async () => {
      const held = await askOf('address', address, () =>
        answerOf(api.POST('/v1/addresses/export', { body: { email: address } })),
      );
      saveFile('person.json', JSON.stringify(held, null, 2), 'application/json');
    },
  });
  const erase = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/addresses/forget', { body: { email: address, suppress } })),
    onSuccess: () => setAsking(false),
  });
  return (
    <Section title="A person’s data">
      <Stack gap="sm">
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Email address"
            flex={1}
            miw={200}
            autoComplete="off"
            spellCheck={false}
            maxLength={320}
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              read.reset();
              erase.reset();
            }}
          />
          <Button variant="default" disabled={!isReady} loading={read.isPending} onClick={() => read.mutate()}>
            Export
          </Button>
          <Button variant="default" color="red" disabled={!isReady} onClick={() => setAsking(true)}>
            Erase…
          </Button>
        </Group>
        {read.error !== null && <ErrorNotice error={read.error} />}
        {erase.data !== undefined && <Receipt receipt={erase.data} />}
      </Stack>
      <Confirm
        opened={isAsking}
        title="Erase this person’s data?"
        action="Erase"
        sending={erase}
        onConfirm={() => erase.mutate()}
        onClose={() => setAsking(false)}
      >
        <Stack gap="sm">
          <span>Deletes everything held about {address}. This can’t be undone.</span>
          <Switch
            label="Keep it out of future imports and webhooks"
            checked={suppress}
            onChange={({ currentTarget: { checked } }) => setSuppress(checked)}
          />
        </Stack>
      </Confirm>
    </Section>
  );
}

function Receipt({ receipt: { status, at, stores, kept } }: { readonly receipt: ErasureReceipt }) {
  return (
    <div role="status">
      <Text size="sm" mb="xs">
        {status === 'done' ? 'Erased' : 'Erasing'}, {formatLocalTime(at)}
        {kept.length > 0 && `. Kept: ${kept.map((each) => label(each).toLowerCase()).join(', ')}`}
      </Text>
      <Facts
        facts={stores.map(({ store, removed, free_by: freeBy }) => ({
          name: label(store),
          value: (
            <>
              {formatCount(Object.values(removed).reduce((sum, count) => sum + count, 0))} rows
              {freeBy !== null && <Code ml={6}>{formatLocalTime(freeBy)}</Code>}
            </>
          ),
        }))}
      />
    </div>
  );
}
