import { Button, Code, Group, Stack, Text, TextInput, Anchor, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { organisationQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { meQuery, startOver } from '../../api/session.ts';
import { formatCount, formatDollars } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation, useMe } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Copy } from '../../parts/copy.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Form } from '../../parts/form.tsx';
import { FreshOnly } from '../../parts/fresh-only.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Dimmed } from '../../parts/text.tsx';

export function General() {
  const { api, id, name, role } = useOrganisation();
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
      <Form
        onSubmit={() => {
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
            <Dimmed>Id</Dimmed>
            <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
            <Copy text={id} label="Copy organisation id" />
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}

const orUnlimited = (limit: number): string => (limit <= 0 ? 'Unlimited' : formatCount(limit));

export function Limits() {
  const { id } = useOrganisation();
  const query = useQuery(organisationQuery(id));
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

/** Requires a second factor. The admin must have used one, so that nobody locks themselves out. */
export function SecondFactor() {
  const { api, id, name } = useOrganisation();
  const { session } = useMe();
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useQuery(organisationQuery(id));
  const change = useMutation({
    mutationFn: (isRequired: boolean) =>
      answerOf(api.PATCH('/v1/organisation', { body: { second_factor: isRequired } })),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: [id, 'organisation'] }),
      ]).then(close),
  });
  return (
    <Section title="Sign-in">
      <Loaded query={query} lines={2}>
        {({ second_factor: isRequired }) => (
          <Stack gap="xs">
            <Switch
              label="Require a second factor"
              description="A passkey or an authenticator app. API keys aren’t affected."
              checked={isRequired}
              disabled={!session.second_factor}
              onChange={open}
            />
            {!session.second_factor && (
              <Text size="sm">
                Sign in with a second factor yourself first, under{' '}
                <Anchor inherit renderRoot={(props) => <Link to="/account" {...props} />}>
                  Account and security
                </Anchor>
                .
              </Text>
            )}
            <Confirm
              opened={isOpen}
              title={isRequired ? 'Stop requiring a second factor?' : 'Require a second factor?'}
              action={isRequired ? 'Stop requiring' : 'Require'}
              isFresh
              sending={change}
              onConfirm={() => change.mutate(!isRequired)}
              onClose={close}
            >
              {isRequired
                ? `A sign-in link alone opens ${name} again.`
                : `Members who haven’t signed in with one lose access to ${name} at once. They are led to the page where they set one up, and are back in as soon as they have.`}
            </Confirm>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

export function LeaveOrganisation() {
  const { api, name } = useOrganisation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const leave = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/membership')),
    onSuccess: () => startOver('/'),
  });
  return (
    <Section title="Leave organisation" note="Its data stays. The last admin can’t leave.">
      <Button variant="default" onClick={open}>
        Leave…
      </Button>
      <Confirm
        opened={isOpen}
        title={`Leave ${name}?`}
        action="Leave"
        sending={leave}
        onConfirm={() => leave.mutate()}
        onClose={close}
      >
        You lose access, and keys you created stop working.
      </Confirm>
    </Section>
  );
}

function DeleteForm({ onClose }: { readonly onClose: () => void }) {
  const { api, name } = useOrganisation();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/organisation')),
    onSuccess: () => startOver('/'),
  });
  return (
    <DialogForm
      action="Delete organisation"
      color="red"
      isReady={typed === name}
      sending={remove}
      onSubmit={() => remove.mutate()}
      onCancel={onClose}
    >
      <Text size="sm">All keys stop working, and all data is permanently deleted.</Text>
      <TextInput
        label={`Type “${name}” to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  );
}

export function DeleteOrganisation() {
  const { name } = useOrganisation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Section title="Delete organisation" note="Permanently deletes all its data.">
      <Button color="red" variant="outline" onClick={open}>
        Delete…
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Delete ${name}`}>
        <FreshOnly onClose={close}>
          <DeleteForm onClose={close} />
        </FreshOnly>
      </Dialog>
    </Section>
  );
}
