import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient } from '../../api/client.ts';
import { formatSentences } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi } from '../../lib/organisation.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { askOf } from './forms.ts';
import { checkAddress, checkDomain } from './queries.ts';

import type { RuleSide } from './types.ts';

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
  disposable: { icon: 'warning', colour: 'var(--mark-poor)', word: 'No rule, but disposable' },
  none: { icon: 'question', colour: 'var(--mark-none)', word: 'No rule' },
};

const OF_ADDRESS = { block: 'A rule on this address blocks it.', allow: 'A rule on this address allows it.' };
const OF_ITS_DOMAIN = { block: 'A rule on its domain blocks it.', allow: 'A rule on its domain allows it.' };
const BEFORE = {
  block: 'It goes before the one that blocks the domain.',
  allow: 'It goes before the one that allows the domain.',
};
const OF_DOMAIN = { block: 'A rule on this domain blocks it.', allow: 'A rule on this domain allows it.' };
const parentText = (side: RuleSide, parent: string): string =>
  side === 'block' ? `A rule on its parent ${parent} blocks it.` : `A rule on its parent ${parent} allows it.`;

async function testAddress(api: ApiClient, email: string): Promise<Standing> {
  const { org_rule: own, domain_rule: ofDomain, effective, display, note } = await checkAddress(api, email);
  const why = formatSentences(
    own !== null && OF_ADDRESS[own],
    own === null && ofDomain !== null && OF_ITS_DOMAIN[ofDomain],
    own !== null && ofDomain !== null && ofDomain !== own && BEFORE[ofDomain],
    own === null && ofDomain === null && 'None of your rules is about this address or its domain.',
  );
  return { effect: effective, subject: display, why, note };
}

async function testDomain(api: ApiClient, text: string): Promise<Standing> {
  const { domain, org_rule: own, matched_domain: matched, disposable, suspected, note } = await checkDomain(api, text);
  if (own !== null) {
    const why = matched === domain ? OF_DOMAIN[own] : parentText(own, matched ?? '');
    return { effect: own, subject: domain, why, note };
  }
  const list = disposable
    ? 'It is on the list of disposable domains. An allow rule sets that aside.'
    : suspected
      ? 'It is on the list of domains that may be disposable: worth a look.'
      : 'None of your rules is about this domain.';
  return { effect: disposable ? 'disposable' : 'none', subject: domain, why: list, note };
}

/** What the rules do with one address or domain. The address stays in the page's memory alone. */
export function Tester() {
  const api = useApi();
  const [text, setText] = useState('');
  const test = useMutation({
    mutationFn: (input: string) =>
      input.includes('@')
        ? askOf('address', input, () => testAddress(api, input))
        : askOf('domain', input, () => testDomain(api, input)),
  });
  const found = test.data;
  return (
    <Section title="Test one" note="What your rules do with an address or a domain.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
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
      </form>
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
              <Text size="sm" c="dimmed">
                {found.why}
              </Text>
              {found.note !== null && found.note !== '' && (
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  Note: {found.note}
                </Text>
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
