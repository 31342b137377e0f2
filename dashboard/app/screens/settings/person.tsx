import { Button, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { ErasureReceipt } from '../../api/schema.ts';
import { formatCount, formatLocalTime } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { saveFile } from '../../parts/export.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { askOf, faultOf } from '../rules/forms.ts';

/** What is held about one person: its export, and its erasure. The address stays in the page's memory alone. */
export function PersonData() {
  const api = useApi();
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
        isPending={erase.isPending}
        error={erase.error}
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

/** What was erased, store by store. */
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
