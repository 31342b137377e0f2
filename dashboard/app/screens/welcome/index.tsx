import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callAuth, type Invitation } from '../../api/session.ts';
import { PlainPage } from '../../frame/plain.tsx';
import { useMutation } from '../../lib/mutation.ts';
import { useMe } from '../../lib/organisation.ts';
import { label, word } from '../../lib/vocabulary.ts';
import { Form } from '../../parts/form.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Small } from '../../parts/text.tsx';

/** Reloads the page with the new memberships. */
const goTo = (organisation: string): void => window.location.replace(`/${organisation}/overview`);

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const accept = useMutation({
    mutationFn: () =>
      callAuth('POST', '/invitations/accept', { id: invitation.id, organisation_id: invitation.organisationId }),
    onSuccess: () => goTo(invitation.organisationId),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          <b>{invitation.organisationName}</b> as {word(invitation.role)}
        </Text>
        <Button size="xs" onClick={() => accept.mutate()} loading={accept.isPending || accept.isSuccess}>
          Join
        </Button>
      </Group>
      {accept.error !== null && <ErrorNotice error={accept.error} />}
    </Stack>
  );
}

function CreateOrganisation() {
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => callAuth<{ id: string }>('POST', '/organisations', { name }),
    onSuccess: ({ id }) => goTo(id),
  });
  return (
    <Form onSubmit={() => create.mutate()}>
      <Stack gap="sm">
        <TextInput
          label="New organisation"
          description="Providers and enrichment stay off until an operator grants a budget."
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending || create.isSuccess}>
          Create
        </Button>
        {create.error !== null && <ErrorNotice error={create.error} />}
      </Stack>
    </Form>
  );
}

/** For a person without an organisation, or with an invitation. */
export default function Welcome() {
  const { user, organisations, invitations, may_create: mayCreate, is_operator: isOperator } = useMe();
  const hasNothing = organisations.length === 0 && invitations.length === 0 && !mayCreate && !isOperator;
  return (
    <PlainPage width={480}>
      <Stack>
        <Title order={1} size="h4">
          {invitations.length > 0 ? 'You are invited' : 'Your organisations'}
        </Title>
        {hasNothing && (
          <Text size="sm">
            <b>{user.email}</b> is in no organisation. Ask an administrator of yours for an invitation to this address;
            it shows here at once.
          </Text>
        )}
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
        {organisations.map(({ id, name, role }) => (
          <Button
            key={id}
            variant="default"
            justify="space-between"
            rightSection={<Small>{label(role)}</Small>}
            renderRoot={(props) => <Link to="/$organisation/overview" params={{ organisation: id }} {...props} />}
          >
            {name}
          </Button>
        ))}
        {isOperator && (
          <Button variant="default" renderRoot={(props) => <Link to="/operator" {...props} />}>
            Operator
          </Button>
        )}
        {mayCreate && <CreateOrganisation />}
        <Group justify="space-between">
          <Small>{user.email}</Small>
          <Button variant="subtle" size="xs" renderRoot={(props) => <Link to="/account" {...props} />}>
            Account and security
          </Button>
        </Group>
      </Stack>
    </PlainPage>
  );
}
