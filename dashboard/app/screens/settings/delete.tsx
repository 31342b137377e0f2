import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { startOver } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { FreshOnly } from '../../parts/fresh-only.tsx';
import { Section } from '../../parts/page.tsx';

function DeleteForm({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const { name } = useOrganisation();
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
      isPending={remove.isPending}
      error={remove.error}
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

/** Ends the organisation. */
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
