import { Anchor, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { organisationQuery } from '../../api/queries.ts';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { meQuery } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useMe, useOrganisation } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

/** Whether people need more than a link to come in. Nobody can lock themselves out: an admin proves a factor first. */
export function SecondFactor() {
  const api = useApi();
  const { id, name } = useOrganisation();
  const { session } = useMe();
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useQuery(organisationQuery(api, id));
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
              isPending={change.isPending}
              error={change.error}
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
