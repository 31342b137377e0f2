import { plural } from '../../lib/format.ts';
import { Box, Button, FileButton, Group, Select, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { policiesQuery } from '../../api/queries.ts';
import type { BulkJob } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Icon } from '../../parts/icons.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { createList } from './queries.ts';

const PASTE_MAX = 1_000;
const FILE_BYTES_MAX = 50 * 2 ** 20;

const addressesIn = (text: string): string[] => text.split(/[\n,;]+/).flatMap((part) => part.trim() || []);

type Purpose = BulkJob['purpose'];

/** What the addresses are for, and what that changes. */
const PURPOSES: readonly { readonly value: Purpose; readonly note: string }[] = [
  {
    value: 'list_hygiene',
    note: 'You clean a list. Recommendations follow your losses for list hygiene.',
  },
  {
    value: 'outbound',
    note: 'You are about to write to them. Recommendations follow your losses for outbound mail.',
  },
  {
    value: 'signup',
    note: 'People signed up with them. Recommendations follow your losses for signups: an address in doubt is challenged, not held.',
  },
];

/** Drop or choose a file, or paste. What follows, and what it costs, is on the page of the list. */
export function NewListForm() {
  const organisation = useOrganisation();
  const api = useApi();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [policy, setPolicy] = useState<string | null>(null);
  const [purpose, setPurpose] = useState<Purpose>('list_hygiene');
  const [pasted, setPasted] = useState('');
  const [isOver, setOver] = useState(false);
  const policies = useQuery(policiesQuery(api, organisation.id));
  const create = useMutation({
    mutationFn: (source: File | readonly string[]) => {
      const own = name.trim() || (source instanceof File ? source.name : '');
      const settings = {
        purpose,
        ...(own !== '' && { name: own.slice(0, 100) }),
        ...(policy !== null && { policy_slug: policy }),
      };
      return createList(api, organisation.id, { settings, source });
    },
    onSuccess: ({ id }) =>
      navigate({ to: '/$organisation/lists/$job', params: { organisation: organisation.id, job: id } }),
  });
  const addresses = addressesIn(pasted);
  const take = (file: File | null | undefined) => {
    if (file) create.mutate(file);
  };
  return (
    <Stack>
      <Group grow preventGrowOverflow={false} align="flex-end">
        <TextInput
          label="Name (optional)"
          description="What you find it by later."
          placeholder="Newsletter, March"
          maxLength={100}
          miw={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Purpose"
          description={PURPOSES.find(({ value }) => value === purpose)?.note}
          allowDeselect={false}
          miw={200}
          data={PURPOSES.map(({ value }) => ({ value, label: label(value) }))}
          value={purpose}
          onChange={(value) => value !== null && setPurpose(value)}
        />
        <Select
          label="Policy (optional)"
          description="Its decision goes beside each row, and segments follow it."
          placeholder="None"
          clearable
          miw={200}
          data={policies.data?.policies.map(({ slug }) => slug) ?? []}
          value={policy}
          onChange={setPolicy}
        />
      </Group>
      <Tabs defaultValue="file">
        <Tabs.List>
          <Tabs.Tab value="file">A file</Tabs.Tab>
          <Tabs.Tab value="paste">Paste</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="file" pt="md">
          <Box
            p="xl"
            ta="center"
            style={{
              border: `2px dashed ${isOver ? 'var(--series)' : 'var(--line)'}`,
              borderRadius: 10,
            }}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              take(event.dataTransfer.files[0]);
            }}
          >
            <Stack align="center" gap="xs">
              <Icon name="upload" size={28} />
              <Text size="sm">Drop a CSV file here, in any encoding and with any delimiter</Text>
              <FileButton onChange={take} accept=".csv,.txt,.tsv,text/csv,text/plain">
                {(props) => (
                  <Button variant="default" {...props} loading={create.isPending}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
              <Text size="xs" c="dimmed">
                Up to {FILE_BYTES_MAX / 2 ** 20} MB. The column with the addresses is found; you may choose another.
              </Text>
            </Stack>
          </Box>
        </Tabs.Panel>
        <Tabs.Panel value="paste" pt="md">
          <Stack align="flex-start">
            <Textarea
              w="100%"
              label="Addresses"
              description={`One a line, or with commas between; up to ${PASTE_MAX}.`}
              autosize
              minRows={5}
              maxRows={12}
              spellCheck={false}
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
              error={addresses.length > PASTE_MAX ? `These are ${addresses.length}: put them into a file.` : null}
            />
            <Button
              onClick={() => create.mutate(addresses)}
              loading={create.isPending}
              disabled={addresses.length === 0 || addresses.length > PASTE_MAX}
            >
              {plural(addresses.length, 'Go on with # address', 'Go on with # addresses')}
            </Button>
          </Stack>
        </Tabs.Panel>
      </Tabs>
      {create.error !== null && <ErrorNotice error={create.error} />}
    </Stack>
  );
}
