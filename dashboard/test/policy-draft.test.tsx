import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PolicyDocument } from '../app/api/schema.ts';
import { type Answer, type Call, OTHER_ORGANISATION, openPage, refused } from './open-page.tsx';
import { FIRST, jsonEditor, openStore } from './policy-store.ts';

let store: ReturnType<typeof openStore>;
let user: UserEvent;
beforeEach(() => {
  store = openStore();
  user = userEvent.setup({ delay: null });
});

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const textOfJson = async (): Promise<string> => (await jsonEditor()).text();
const nameInJson = async (name: string) => {
  const editor = await jsonEditor();
  act(() => editor.write(editor.text().replace(/"name": ".*"/, `"name": "${name}"`)));
};

/** The store, whose answers to a save wait until they are let go. */
function slowSaves(answer: Answer = store.answer) {
  let release = () => {};
  return {
    answer: (call: Call) =>
      call.method === 'PUT'
        ? new Promise<object>((done) => {
            release = () => done(answer(call) ?? {});
          })
        : store.answer(call),
    release: () => release(),
  };
}

/** Another admin saves, and the page reads again, as it does once its window has the focus. */
async function saveElsewhere(change: Partial<PolicyDocument>) {
  store.save({ ...FIRST, ...change });
  const { queryClient } = await import('../app/api/query-client.ts');
  await queryClient.invalidateQueries();
}

describe('the draft of a policy', () => {
  it('keeps what is typed while a save is on its way, and counts it from the saved version', async () => {
    const { answer, release } = slowSaves();
    await openPage('policy?view=json', 'admin', answer);
    await nameInJson('Sent');
    await user.click(button('Save as version 2'));
    await nameInJson('Typed meanwhile');
    expect(button('Save as version 2').hasAttribute('data-loading')).toBe(true);
    release();
    await screen.findByText(/version 2, saved/);
    expect(await textOfJson()).toContain('Typed meanwhile');
    expect(store.versions[1]?.name).toBe('Sent');
    await user.click(button('Save as version 3'));
    release();
    await screen.findByText('Version 3 is live.');
    expect(store.versions[2]?.name).toBe('Typed meanwhile');
  });

  it('is not discarded while its save is on its way', async () => {
    const { answer, release } = slowSaves();
    await openPage('policy?view=json', 'admin', answer);
    await nameInJson('Sent');
    await user.click(button('Save as version 2'));
    await user.click(button('Discard'));
    expect(await textOfJson()).toContain('"Sent"');
    release();
    await screen.findByText('Version 2 is live.');
    expect(await textOfJson()).toContain('"Sent"');
  });

  it('shows a refusal of the text that was sent without a place in the one typed since', async () => {
    const { answer, release } = slowSaves();
    store.refusal = '`policy.name` is too long.';
    await openPage('policy?view=json', 'admin', answer);
    await nameInJson('Sent');
    await user.click(button('Save as version 2'));
    await nameInJson('Typed meanwhile');
    release();
    const said = await screen.findByText(/^Your previous save failed:/);
    expect(said.textContent).toBe('Your previous save failed: policy.name is too long.');
    expect((await jsonEditor()).marked()).toEqual([]);
  });

  it('has no fault once a repeated save shows that the first one arrived', async () => {
    let isLost = true;
    await openPage('policy?view=json', 'admin', (call) => {
      const saved = store.answer(call);
      if (call.method !== 'PUT' || !isLost) return saved;
      isLost = false;
      return refused(502, 'The answer was lost.', 'unknown');
    });
    await nameInJson('Mine');
    await user.click(button('Save as version 2'));
    await screen.findAllByText('The answer was lost');
    await user.click(button('Save as version 2'));
    await screen.findByText(/version 2, saved/);
    expect(screen.queryByText('Unsaved changes.')).toBeNull();
    expect(store.versions).toHaveLength(2);
  });

  it('has no fault of a trial that failed once it is saved', async () => {
    await openPage('policy?view=json', 'admin', (call) =>
      call.path.endsWith('/simulate') ? refused(400, 'The trial failed today.') : store.answer(call),
    );
    await nameInJson('Mine');
    await user.click(button('Preview impact'));
    await screen.findAllByText('The trial failed today');
    await user.click(button('Save as version 2'));
    await screen.findByText('Version 2 is live.');
    expect(screen.queryByText('The trial failed today')).toBeNull();
  });

  it('replaces no version that came between reading the button and pressing it', async () => {
    await openPage('policy?view=json', 'admin', store.answer);
    await nameInJson('Mine');
    const read = button('Save as version 2');
    await saveElsewhere({ name: 'Theirs' });
    await screen.findByText(/^Version 2 was saved in the meantime by/);
    fireEvent.click(read);
    const { queryClient } = await import('../app/api/query-client.ts');
    expect(queryClient.isMutating()).toBe(0);
    expect(store.versions).toHaveLength(2);
  });

  it('shows why it is refused in the place of a newer version', async () => {
    await openPage('policy?view=json', 'admin', store.answer);
    await nameInJson('Mine');
    await saveElsewhere({ name: 'Theirs' });
    store.refusal = '`policy.name` is too long.';
    await user.click(await screen.findByRole('button', { name: 'Save mine as version 3' }));
    await screen.findAllByText(/is too long/);
    await waitFor(async () => expect((await jsonEditor()).marked()).toEqual(['"Mine"']));
  });

  it('stays in its organisation', async () => {
    const theirs = openStore();
    vi.stubGlobal('confirm', () => true);
    await openPage('policy?view=json', 'admin', (call) =>
      (call.organisation === OTHER_ORGANISATION ? theirs : store).answer(call),
    );
    const { router } = await import('../app/router.tsx');
    const own = router.state.location.href;
    await jsonEditor();
    await router.navigate({ href: own.replace(/^\/[^/]+/, `/${OTHER_ORGANISATION}`) });
    await jsonEditor();
    await router.navigate({ href: own });
    await nameInJson('Mine');
    router.history.back();
    await waitFor(() => expect(router.state.location.pathname).toContain(OTHER_ORGANISATION));
    await waitFor(async () => expect(await textOfJson()).toContain('"Default"'));
    expect(screen.queryByText('Unsaved changes.')).toBeNull();
  });

  it('keeps what was typed once another admin has saved, and says what that changed', async () => {
    await openPage('policy?view=json', 'admin', store.answer);
    await nameInJson('Mine');
    await saveElsewhere({ name: 'Theirs' });
    await screen.findByText(/^Version 2 was saved in the meantime by/);
    expect(await textOfJson()).toContain('"Mine"');
    await user.click(button('What changed'));
    await screen.findByText('The name changes from “Default” to “Theirs”.');
    await user.click(button('Save mine as version 3'));
    await screen.findByText('Version 3 is live.');
    expect(store.versions.map(({ name }) => name)).toEqual(['Default', 'Theirs', 'Mine']);
  });

  it('says of a save that came too late which version is in force, and takes that one', async () => {
    await openPage('policy?view=json', 'admin', store.answer);
    await nameInJson('Mine');
    store.save({ ...FIRST, name: 'Theirs' });
    await user.click(button('Save as version 2'));
    await screen.findByText(/^Version 2 was saved in the meantime by/);
    expect(screen.getByText('Unsaved changes.').parentElement?.textContent).toBe('Unsaved changes. Version 2 is live.');
    expect(await textOfJson()).toContain('"Mine"');
    await user.click(button('Take version 2, discard mine'));
    await waitFor(() => expect(screen.queryByText('Unsaved changes.')).toBeNull());
    expect(await textOfJson()).toContain('"Theirs"');
    expect(store.versions).toHaveLength(2);
  });

  it('follows the newest version while nothing is changed', async () => {
    await openPage('policy?view=json', 'admin', store.answer);
    await jsonEditor();
    await saveElsewhere({ name: 'Theirs' });
    await waitFor(async () => expect(await textOfJson()).toContain('"Theirs"'));
    expect(screen.queryByText(/was saved in the meantime/)).toBeNull();
  });

  it('keeps a rule that is in the form', async () => {
    await openPage('policy?view=rules', 'admin', store.answer);
    await user.click(await screen.findByRole('button', { name: 'Edit hold' }));
    const form = within(await screen.findByRole('dialog'));
    await user.type(form.getByRole('textbox', { name: 'Reason (optional)' }), 'Look first.');
    await saveElsewhere({ rules: FIRST.rules.toReversed() });
    await screen.findByText(/version 2, saved/);
    await user.click(form.getByRole('button', { name: 'Apply' }));
    await screen.findByText(/^Version 2 was saved in the meantime by/);
    await user.click(button('Save mine as version 3'));
    await screen.findByText('Version 3 is live.');
    expect(store.versions[2]?.rules).toEqual([FIRST.rules[0], { ...FIRST.rules[1], description: 'Look first.' }]);
  });
});
