import { ActionIcon, Group, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../parts/icons.tsx';
import { faultOf } from '../rules/forms.ts';
import type { OpenRecord } from './record-rows.tsx';

const DOMAIN = /^[^\s@]+\.[^\s@.]+$/;
const TRACE_ID = /^(?:vr|dc)_[0-9a-z]{26}$/;

/**
 * Looks for the judgements of one address. It goes in a request's body and stays in this page's memory: no URL and no store
 * holds it. What an answer or a log names by its id is opened.
 */
export function FindAddress({
  asked,
  onAsk,
  onOpen,
  onDomain,
}: {
  /** The address that is looked for; null: none. */
  readonly asked: string | null;
  readonly onAsk: (email: string | null) => void;
  readonly onOpen: OpenRecord;
  /** A domain alone becomes a filter. */
  readonly onDomain: (domain: string) => void;
}) {
  const [typed, setTyped] = useState(asked ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const clear = () => {
    setTyped('');
    setFault(null);
    onAsk(null);
  };
  return (
    <form
      style={{ flex: '1 1 220px', maxWidth: 360 }}
      onSubmit={(event) => {
        event.preventDefault();
        const text = typed.trim();
        if (TRACE_ID.test(text)) {
          clear();
          onOpen(text, false);
          return;
        }
        if (DOMAIN.test(text)) {
          clear();
          onDomain(text.toLowerCase());
          return;
        }
        const found = text === '' ? null : faultOf('address', text);
        setFault(found);
        // What was found before belongs to another address.
        onAsk(found === null ? text || null : null);
      }}
    >
      <TextInput
        aria-label="Search"
        data-search
        placeholder="Email address, domain or trace id"
        maxLength={320}
        autoComplete="off"
        spellCheck={false}
        leftSection={<Icon name="search" size={15} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFault(null);
        }}
        error={fault}
        rightSection={
          typed !== '' && (
            <Group gap={0}>
              <Tooltip label="Clear">
                <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Clear search" onClick={clear}>
                  <Icon name="cross" size={14} />
                </ActionIcon>
              </Tooltip>
            </Group>
          )
        }
      />
    </form>
  );
}
