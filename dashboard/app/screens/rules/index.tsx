import { Button, Box, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { ApiClient } from '../../api/client.ts';
import { useFilters } from '../../lib/filters.ts';
import { formatSentences } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { Form } from '../../parts/form.tsx';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { AddRules } from './add.tsx';
import { askOf } from './forms.ts';
import { RuleList, sideOf } from './list.tsx';
import { checkAddress, checkDomain } from './queries.ts';

export default function Rules() {
  const { role } = useOrganisation();
  const [search] = useFilters();
  const [isAdding, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Block & allow"
      description="Addresses and domains that are always blocked or allowed."
      action={
        roleAllows(role, 'member') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            Add entries
          </Button>
        )
      }
    >
      <Tester />
      <RuleList onAdd={open} />
      <AddRules opened={isAdding} side={sideOf(search)} onClose={close} />
    </Page>
  );
}

type Effect = 'block' | 'allow' | 'disposable' | 'none';

interface Standing {
  readonly effect: Effect;
  readonly subject: string;
  readonly why: string;
  readonly note: string | null;
}

const EFFECTS: Readonly<Record<Effect, { readonly icon: IconName; readonly colour: string; readonly word: string }>> = {
  block: { icon: 'cross', colour: 'var(--mark-bad)', word: 'Blocked' },
  allow: { icon: 'check', colour: 'var(--mark-good)', word: 'Allowed' },
  disposable: { icon: 'warning', colour: 'var(--mark-poor)', word: 'No entry, but disposable' },
  none: { icon: 'question', colour: 'var(--mark-none)', word: 'No entry' },
};

const SAYS = { block: 'blocked', allow: 'allowed' };

async function testAddress(api: ApiClient, email: string): Promise<Standing> {
  const { org_rule: own, domain_rule: ofDomain, effective, display, note } = await checkAddress(api, email);
  const why = formatSentences(
    own !== null && `This address is ${SAYS[own]}.`,
    own === null && ofDomain !== null && `Its domain is ${SAYS[ofDomain]}.`,
    own !== null && ofDomain !== null && ofDomain !== own && `That overrides its ${SAYS[ofDomain]} domain.`,
    own === null && ofDomain === null && 'Neither this address nor its domain is listed.',
  );
  return { effect: effective, subject: display, why, note };
}

async function testDomain(api: ApiClient, text: string): Promise<Standing> {
  const { domain, org_rule: own, matched_domain: matched, disposable, suspected, note } = await checkDomain(api, text);
  if (own !== null) {
    const why = `${matched === domain ? 'This domain' : `Its parent domain ${matched ?? ''}`} is ${SAYS[own]}.`;
    return { effect: own, subject: domain, why, note };
  }
  const list = disposable
    ? 'It’s on the list of disposable domains. Allow it to override that.'
    : suspected
      ? 'It may be disposable.'
      : 'This domain isn’t listed.';
  return { effect: disposable ? 'disposable' : 'none', subject: domain, why: list, note };
}

/** Test of one address or domain, which stays in this page's memory. */
function Tester() {
  const { api } = useOrganisation();
  const [text, setText] = useState('');
  const test = useMutation({
    mutationFn: (input: string) =>
      input.includes('@')
        ? askOf('address', input, () => testAddress(api, input))
        : askOf('domain', input, () => testDomain(api, input)),
  });
  const found = test.data;
  return (
    <Section title="Test">
      <Form
        onSubmit={() => {
          if (text.trim() !== '') test.mutate(text.trim());
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            miw={180}
            label="Address or domain"
            placeholder="ada@example.com"
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              test.reset();
            }}
            maxLength={320}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="off"
          />
          <Button type="submit" variant="default" loading={test.isPending} disabled={text.trim() === ''}>
            Test
          </Button>
        </Group>
      </Form>
      <div aria-live="polite">
        {found !== undefined && (
          <Group gap="sm" wrap="nowrap" align="flex-start" mt="md">
            <Text component="span" lh={0} mt={2} style={{ color: EFFECTS[found.effect].colour }}>
              <Icon name={EFFECTS[found.effect].icon} />
            </Text>
            <Stack gap={2} miw={0}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <b>{EFFECTS[found.effect].word}</b>: {found.subject}
              </Text>
              <Dimmed>{found.why}</Dimmed>
              {found.note !== null && found.note !== '' && (
                <Dimmed style={{ overflowWrap: 'anywhere' }}>Note: {found.note}</Dimmed>
              )}
            </Stack>
          </Group>
        )}
      </div>
      {test.error !== null && (
        <Box mt="md">
          <ErrorNotice error={test.error} />
        </Box>
      )}
    </Section>
  );
}
