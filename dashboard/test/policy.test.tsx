import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PolicyRule } from '../app/api/schema.ts';
import type { Role } from '../app/api/session.ts';
import { type Call, openPage } from './open-page.tsx';
import { FIRST, jsonEditor, openStore } from './policy-store.ts';

let store: ReturnType<typeof openStore>;
let user: UserEvent;
beforeEach(() => {
  store = openStore();
  user = userEvent.setup({ delay: null });
});
async function open(role: Role) {
  await openPage('policy?view=rules', role, store.answer);
  await screen.findByRole('list');
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const save = async (version: number) => {
  await user.click(button(`Save as version ${version}`));
  await screen.findByText(new RegExp(`version ${version}, saved`));
};

async function choose(field: HTMLElement, option: string) {
  await user.click(field);
  const list = await waitFor(() => {
    const found = document.getElementById(field.getAttribute('aria-controls') ?? '');
    if (found === null) throw new Error('the list is not open');
    return found;
  });
  await user.click(await within(list).findByRole('option', { name: option }));
}

function last(fields: readonly HTMLElement[]): HTMLElement {
  const field = fields.at(-1);
  if (field === undefined) throw new Error('the field is missing');
  return field;
}

/** Chooses the word that a new rule leaves open. */
const chooseFree = (form: ReturnType<typeof within>) =>
  choose(form.getAllByRole('combobox', { name: 'Value' })[0] as HTMLElement, 'Free');

/** Writes a rule by the form: free mailboxes whose number is above a value are denied. */
async function writeRule(place?: string) {
  await user.click(button('Add rule'));
  const form = within(await screen.findByRole('dialog'));
  await chooseFree(form);
  await user.click(form.getByRole('button', { name: 'Add condition' }));
  const path = last(form.getAllByRole('combobox', { name: 'Property' }));
  await user.clear(path);
  await user.paste('verification.bounce_probability');
  await choose(last(form.getAllByRole('combobox', { name: 'Operator' })), 'is above');
  const value = last(form.getAllByRole('textbox', { name: 'Value' }));
  await user.clear(value);
  await user.type(value, '40,5');
  form.getByText('When email type is “Free” and bounce risk is above 40.5%.');
  await choose(form.getByRole('combobox', { name: 'Decision' }), 'Deny');
  const id = form.getByRole('textbox', { name: 'Id' });
  await user.clear(id);
  await user.type(id, 'free-and-risky');
  if (place !== undefined) await choose(form.getByRole('combobox', { name: 'Position' }), place);
  await user.click(form.getByRole('button', { name: 'Add rule' }));
}

describe('the screen of a policy', () => {
  it('takes a rule written by the form, says what it would change, and saves it at its place', async () => {
    await open('admin');
    await writeRule('After invalid');
    await user.click(button('Preview impact'));
    const answer = await screen.findByText('37 of 600 signups (6%)');
    expect(answer.parentElement?.textContent).toContain('4 signups, 300 verifications, and 296 rows of lists');
    const sample = await screen.findByRole('link', { name: /^z•••@gmail.com/ });
    expect(sample.getAttribute('href')).toContain('trace=dc_00000000000000000000000009');
    expect(sample.closest('li')?.textContent).toMatch(/45%Allow.*Deny$/);
    expect(store.versions).toHaveLength(1);
    await save(2);
    const rule: PolicyRule = {
      id: 'free-and-risky',
      when: {
        all: [
          { path: 'verification.email_type', op: 'eq', value: 'free' },
          { path: 'verification.bounce_probability', op: 'gt', value: 0.405 },
        ],
      },
      decision: 'deny',
    };
    const rules = FIRST.rules.toSpliced(1, 0, rule);
    expect(store.simulated.at(-1)).toEqual({ ...FIRST, rules });
    expect(store.versions[1]).toMatchObject({ rules });
  });

  it('puts a new rule where its decision needs it, until another place is chosen', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const place = form.getByRole<HTMLInputElement>('combobox', { name: 'Position' });
    const decide = (decision: string) => choose(form.getByRole('combobox', { name: 'Decision' }), decision);
    expect(place.value).toBe('After invalid');
    await decide('Allow');
    expect(place.value).toBe('Last, after hold');
    await decide('Deny');
    expect(place.value).toBe('First, before invalid');
    await choose(place, 'After invalid');
    await decide('Allow');
    expect(place.value).toBe('After invalid');
  });

  it('leaves the value of a new rule to be chosen', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    await user.click(form.getByRole('button', { name: 'Add rule' }));
    form.getByText('Enter a value');
    await chooseFree(form);
    await user.click(form.getByRole('button', { name: 'Add rule' }));
    await save(2);
    expect(store.versions[1]?.rules.map(({ id }) => id)).toEqual(['invalid', 'rule', 'hold']);
  });

  /** A new rule whose condition reads the number. */
  async function readNumber() {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const path = form.getByRole('combobox', { name: 'Property' });
    await user.clear(path);
    await user.paste('verification.bounce_probability');
    return form;
  }

  it('takes a number with a comma, also all of it at once', async () => {
    const form = await readNumber();
    const value = form.getByRole<HTMLInputElement>('textbox', { name: 'Value' });
    fireEvent.change(value, { target: { value: '0,3%' } });
    expect(value.value).toBe('0.3%');
    form.getByText('When bounce risk is 0.3%.');
  });

  it('takes a decimal comma also among several numbers', async () => {
    const form = await readNumber();
    await user.click(form.getByRole('combobox', { name: 'Operator' }));
    await user.click(await screen.findByRole('option', { name: 'is one of' }));
    await user.type(form.getByRole('combobox', { name: 'Value' }), '12,5{Enter}20;30{Enter}');
    expect(await form.findByText('When bounce risk is one of 12.5%, 20%, 30%.')).toBeTruthy();
  });

  /** By its menu. */
  async function removeRule(id: string) {
    await user.click(button(`Actions for ${id}`));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  }

  it('shows which share of the traffic each rule decides', async () => {
    await open('admin');
    const rows = await screen.findAllByRole('listitem');
    await waitFor(() => expect(rows.map((row) => /\d+%/.exec(row.textContent ?? '')?.[0])).toEqual(['0%', '25%']));
  });

  it('moves a rule by the keyboard alone', async () => {
    await open('admin');
    // Nothing has a size here: rows of 40 px stand in for it.
    const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function of(this: Element) {
      const at = Array.from(document.querySelectorAll('.rule-list > li')).indexOf(this.closest('li') ?? this);
      return new DOMRect(0, at * 40, 400, 40);
    });
    button('Move invalid').focus();
    for (const key of ['[Space]', '[ArrowDown]', '[Space]']) {
      await user.keyboard(key);
      await new Promise((done) => setTimeout(done, 60));
    }
    rect.mockRestore();
    await save(2);
    expect(store.versions[1]?.rules.map(({ id }) => id)).toEqual(['hold', 'invalid']);
  });

  it('joins conditions in groups, with any and none', async () => {
    await open('admin');
    await user.click(button('Edit invalid'));
    const form = within(await screen.findByRole('dialog'));
    await user.click(form.getByRole('button', { name: 'Add group' }));
    const values = form.getAllByRole('combobox', { name: 'Value' });
    await choose(last(values.slice(0, 2)), 'Send');
    await choose(last(values.slice(0, 3)), 'Hold');
    await user.click(last(form.getAllByRole('radio', { name: 'None of' })));
    form.getByText(/^When verdict is “Invalid” and not \(recommendation is “Send” or recommendation is “Hold”\)\.$/);
    await user.click(form.getByRole('button', { name: 'Apply' }));
    await save(2);
    const path = 'verification.recommendation';
    const any = ['send', 'hold'].map((value) => ({ path, op: 'eq', value }));
    expect(store.versions[1]?.rules[0]?.when).toEqual({ all: [FIRST.rules[0]?.when, { not: { any } }] });
  });

  it('names a path in words, with the path itself below', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const path = form.getByRole<HTMLInputElement>('combobox', { name: 'Property' });
    expect(path.value).toBe('Email type');
    await user.clear(path);
    await user.paste('bounce');
    await choose(path, 'Bounce risk verification.bounce_probability');
    expect(path.value).toBe('Bounce risk');
    const below = document.getElementById(path.getAttribute('aria-describedby')?.split(' ')[0] ?? '');
    expect(below?.textContent).toBe('verification.bounce_probability');
  });

  it.each(['verification.email_type', 'email type'])(
    'takes %s letter by letter, though its start is a path too',
    async (text) => {
      await open('admin');
      await user.click(button('Add rule'));
      const form = within(await screen.findByRole('dialog'));
      const path = form.getByRole<HTMLInputElement>('combobox', { name: 'Property' });
      await user.clear(path);
      await user.type(path, text);
      expect(path.value).toBe(text);
      await user.tab();
      expect(path.value).toBe('Email type');
      const below = document.getElementById(path.getAttribute('aria-describedby')?.split(' ')[0] ?? '');
      expect(below?.textContent).toBe('verification.email_type');
    },
  );

  it('says what a version changed', async () => {
    await open('admin');
    await removeRule('hold');
    await save(2);
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await user.click(await screen.findByRole('button', { name: 'What changed' }));
    await screen.findByText(/^Rule hold removed/);
    expect(window.location.search).toBe('?view=versions&version=2');
  });

  it('says at the field what can be no condition, and keeps such a rule out of the draft', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const dialog = await screen.findByRole('dialog');
    const form = within(dialog);
    const id = form.getByRole('textbox', { name: 'Id' });
    await user.clear(id);
    await user.type(id, 'germany');
    const path = form.getByRole('combobox', { name: 'Property' });
    const reads = async (text: string) => {
      await user.clear(path);
      await user.paste(text);
    };
    const add = () => user.click(form.getByRole('button', { name: 'Add rule' }));
    await reads('country');
    await add();
    form.getByText(/^Choose from the list, or type attributes/);
    expect(document.activeElement).toBe(path);
    await reads('company.country');
    const value = form.getByRole('textbox', { name: 'Value' });
    await user.clear(value);
    await add();
    form.getByText('Enter a value');
    expect(document.activeElement).toBe(value);
    await user.type(value, 'Germany');
    await add();
    form.getByText('Two capital letters, like DE');
    await user.clear(value);
    await user.type(value, 'DE');
    await add();
    await waitFor(() => expect(dialog.isConnected).toBe(false));
  });

  it('says that a value is missing only once its field was left', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const path = form.getByRole('combobox', { name: 'Property' });
    await user.clear(path);
    await user.paste('company.industry');
    const value = form.getByRole('textbox', { name: 'Value' });
    expect(form.queryByText('Enter a value')).toBeNull();
    await user.click(value);
    expect(form.queryByText('Enter a value')).toBeNull();
    await user.tab();
    form.getByText('Enter a value');
  });

  it('sets both limits on the number, and says whom they meet', async () => {
    await openPage('policy', 'admin', store.answer);
    await user.click(await screen.findByRole('switch', { name: 'Also decide by bounce risk' }));
    for (const [name, percent] of [
      ['Review from', '25'],
      ['Deny from', '90'],
    ] as const) {
      const field = screen.getByRole('textbox', { name });
      await user.clear(field);
      await user.type(field, percent);
      await user.tab();
    }
    await screen.findByText(/40% would be reviewed and 20% denied/);
    await save(2);
    const limits = store.versions[1]?.rules.filter(({ id }) => id.startsWith('number-'));
    expect(limits).toMatchObject([
      { decision: 'deny', when: { path: 'verification.bounce_probability', op: 'gte', value: 0.9 } },
      { decision: 'review', when: { path: 'verification.bounce_probability', op: 'gte', value: 0.25 } },
    ]);
  });

  it('keeps a text that is no policy in every view, and says what is wrong at its line', async () => {
    await openPage('policy?view=json', 'admin', store.answer);
    const editor = await jsonEditor();
    const saved = editor.text();
    for (const next of ['null', '5', '{}', '', saved.replace('"verification.verdict"', '5')]) {
      act(() => editor.write(next));
      await waitFor(() => expect(button('Save as version 2').hasAttribute('disabled')).toBe(true));
    }
    await waitFor(() => expect(editor.marked()).toEqual(['5']));
    await user.click(screen.getByRole('tab', { name: 'Rules' }));
    const found = await screen.findByText('rules[0].when.path');
    expect(found.parentElement?.textContent).toMatch(/^Line 7: rules\[0\]\.when\.path must be/);
    await user.click(button('Fix it in the JSON'));
    const again = await jsonEditor();
    act(() => again.write(saved.replace('"Default"', '"Mended"')));
    await user.click(screen.getByRole('tab', { name: 'Rules' }));
    await screen.findByRole('list');
    await save(2);
    expect(store.versions[1]).toEqual({ ...store.versions[1], ...FIRST, name: 'Mended' });
  });

  it.each([
    ['"rules": [{ "', ['"']],
    ['"decision": "de', ['deny']],
    ['"path": "verification.email_type", "op": "eq", "value": "fr', ['free']],
  ])('completes %s from the service’s own words', async (text, words) => {
    const [{ EditorState }, { CompletionContext }, { completeJson }] = await Promise.all([
      import('@codemirror/state'),
      import('@codemirror/autocomplete'),
      import('../app/screens/policy/json-field.tsx'),
    ]);
    const state = EditorState.create({ doc: text });
    const found = completeJson(new CompletionContext(state, text.length, true));
    const labels = found?.options.map(({ label }) => label) ?? [];
    expect(labels).toEqual(expect.arrayContaining(words[0] === '"' ? ['when', 'decision', 'experiment'] : words));
  });

  it.each([
    ['deleting its rule', async () => removeRule('invalid')],
    [
      'restoring a version without it',
      async () => {
        await user.click(screen.getByRole('tab', { name: 'Versions' }));
        await user.click(await screen.findByRole('button', { name: 'Restore' }));
      },
    ],
  ])('warns of the end of a running experiment by %s', async (_title, loseIt) => {
    const [first, ...rest] = FIRST.rules as [PolicyRule];
    store.save({ ...FIRST, rules: [{ ...first, experiment: { id: 'sooner', weight: 50, min_sample: 400 } }, ...rest] });
    await open('admin');
    await loseIt();
    await screen.findByText('This changes a running experiment');
    expect(screen.getByText('sooner').parentElement?.textContent).toBe('Experiment sooner ends.');
  });

  it('restores a version as the next one', async () => {
    await open('admin');
    await removeRule('hold');
    await save(2);
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await user.click(await screen.findByRole('button', { name: 'Restore' }));
    await screen.findByText('Unsaved changes.');
    await save(3);
    expect(store.versions.map(({ rules }) => rules.length)).toEqual([2, 1, 2]);
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await screen.findByText('restores version 1');
    const numbers = Array.from(document.querySelectorAll('tbody td:first-child'), (cell) => cell.textContent ?? '');
    expect(numbers.map((text) => /restores/.test(text))).toEqual([true, false, false]);
  });

  it('says that a version is saved, until the next change', async () => {
    await open('admin');
    await removeRule('hold');
    await save(2);
    await screen.findByText('Version 2 is live.');
    expect(screen.getAllByRole('status').map((each) => each.textContent)).toContain('Version 2 is live.');
    await removeRule('invalid');
    await waitFor(() => expect(screen.queryByText(/is saved and decides/)).toBeNull());
  });

  it('keeps the warning about an experiment in one line on a phone, after the answer of a trial', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(max-width: 48em)',
      addEventListener: () => {},
      removeEventListener: () => {},
      addListener: () => {},
      removeListener: () => {},
    }));
    const [first, ...rest] = FIRST.rules as [PolicyRule];
    store.save({ ...FIRST, rules: [{ ...first, experiment: { id: 'sooner', weight: 50, min_sample: 400 } }, ...rest] });
    await open('admin');
    await removeRule('invalid');
    const title = await screen.findByText('This changes a running experiment');
    expect(screen.queryByText('sooner')).toBeNull();
    await user.click(button('Preview impact'));
    const answer = await screen.findByText('37 of 600 signups (6%)');
    expect(answer.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.click(button('Show'));
    expect(screen.getByText('sooner')).toBeTruthy();
  });

  it('reads of many versions the newest and those that are compared', async () => {
    for (let version = 2; version <= 40; version += 1) store.save({ ...FIRST, name: `Name ${version}` });
    const read: number[] = [];
    const answer = (call: Call) => {
      if (call.query.has('version')) read.push(Number(call.query.get('version')));
      return store.answer(call);
    };
    await openPage('policy?view=versions&version=5', 'viewer', answer);
    await screen.findByText('Version 4 to 5');
    expect(read.toSorted((one, other) => one - other)).toEqual([
      4,
      5,
      ...Array.from({ length: 11 }, (_, at) => 30 + at),
    ]);
    cleanup();
    await openPage('policy?view=versions&version=1', 'viewer', answer);
    await screen.findByText('This is the first version.');
  });

  it.each(['version=1', 'version=%221%22'])('opens a version by its address, new or old: %s', async (version) => {
    await openPage(`policy?view=versions&${version}`, 'viewer', store.answer);
    expect(await screen.findByText('This is the first version.')).toBeDefined();
  });

  const armsOf = (treatment: number, control: number) =>
    (
      [
        ['treatment', treatment],
        ['control', control],
      ] as const
    ).map(([arm, rate]) => ({
      arm,
      exposures: 1_000,
      events: rate * 1_000,
      rate,
      ci: [rate - 0.02, rate + 0.02],
    }));

  it('says first to stop an experiment that clearly does harm, with the way to its rule', async () => {
    const [first, ...rest] = FIRST.rules as [PolicyRule];
    const experiment = { id: 'sooner', weight: 50, min_sample: 400, guardrails: ['activated'] };
    store.save({ ...FIRST, rules: [{ ...first, experiment }, ...rest] });
    const result = {
      ...experiment,
      rule_id: 'invalid',
      ready: true,
      probability_better: 0.9999,
      arms: armsOf(0.3, 0.2),
      guardrails: [{ event: 'activated', arms: armsOf(0.3, 0.5) }],
    };
    await openPage('policy?view=experiments', 'admin', (call) =>
      call.path === '/v1/policies/default/experiments'
        ? { experiments: [result], computed_at: 1_790_000_000 }
        : store.answer(call),
    );
    const stop = await screen.findByText(/^Stop this experiment: rule/);
    const said = stop.parentElement?.textContent ?? '';
    expect(said).toContain('“Activated”, a guardrail, is clearly lower: 30% with the rule');
    expect(said).toContain('“Subscribed” is better with the rule (over 99.9% sure).');
    await user.click(button('Go to the rule'));
    await screen.findByRole('list');
    expect(window.location.search).toBe('?view=rules&rule=invalid');
  });

  it('gives up a draft for what is in force', async () => {
    await open('admin');
    await removeRule('hold');
    await user.click(button('Discard'));
    await waitFor(() => expect(screen.queryByText('Unsaved changes.')).toBeNull());
    expect(button('Edit hold')).toBeTruthy();
  });

  it.each(['member', 'viewer'] as const)('shows a %s the rules, and lets them change none', async (role) => {
    await open(role);
    expect(screen.queryByRole('button', { name: 'Add rule' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Edit / })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Switches' }));
    const free = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Free mailboxes' });
    expect(free.disabled).toBe(true);
  });

  it('names what the service refuses, at its line of the JSON', async () => {
    await open('admin');
    await removeRule('hold');
    store.refusal = '`policy.rules[0].when.value` must be one of valid, risky.';
    await user.click(button('Save as version 2'));
    await screen.findByText('Line 9:', { exact: false });
    expect(screen.getByText('rules[0].when.value')).toBeTruthy();
    expect(store.versions).toHaveLength(1);
  });
});
