import { ActionIcon, Group, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../parts/icons.tsx';

/**
 * Looks for the judgements of one address. It goes in a request's body and stays in this page's memory: no URL and no store
 * holds it.
 */
export function FindAddress({
  asked,
  onAsk,
}: {
  /** The address that is looked for; null: none. */
  readonly asked: string | null;
  readonly onAsk: (email: string | null) => void;
}) {
  const [typed, setTyped] = useState(asked ?? '');
  const clear = () => {
    setTyped('');
    onAsk(null);
  };
  return (
    <form
      style={{ flex: '1 1 220px', maxWidth: 360 }}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(typed.trim() || null);
      }}
    >
      <TextInput
        aria-label="Find an address"
        placeholder="Find an address"
        maxLength={320}
        autoComplete="off"
        spellCheck={false}
        leftSection={<Icon name="search" size={15} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        rightSection={
          typed !== '' && (
            <Group gap={0}>
              <Tooltip label="Clear">
                <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Clear the address" onClick={clear}>
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
