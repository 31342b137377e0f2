import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PolicyRule } from '../app/api/schema.ts';
import type { Role } from '../app/api/session.ts';
import { type Call, openPage } from './open-page.tsx';
import { FIRST, openStore } from './policy-store.ts';

let store: ReturnType<typeof openStore>;
let user: UserEvent;
beforeEach(() => {
  store = openStore();
  user = userEvent.setup({ delay: null });
});
async function open(role: Role) {
  await openPage('policy', role, store.answer);
  await screen.findByText('Rules in order');
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const save = async (version: number) => {
  await user.click(button(`Save as version ${version}`));
  await screen.findByText(new RegExp(`^Version ${version}, saved`));
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
  const path = last(form.getAllByRole('combobox', { name: 'Value that is read' }));
  await user.clear(path);
  await user.paste('verification.bounce_probability');
  await choose(last(form.getAllByRole('combobox', { name: 'Operator' })), 'is above');
  const value = last(form.getAllByRole('textbox', { name: 'Value' }));
  await user.clear(value);
  await user.type(value, '40,5');
  form.getByText('When email type is “Free” and bounce probability is above 40.5%.');
  await choose(form.getByRole('combobox', { name: 'Decision' }), 'Deny');
  const id = form.getByRole('textbox', { name: 'Id' });
  await user.clear(id);
  await user.type(id, 'free-and-risky');
  form.getByText(/^No rule stands before it/);
  if (place !== undefined) await choose(form.getByRole('combobox', { name: 'Place in the order' }), place);
  await user.click(form.getByRole('button', { name: 'Add to the draft' }));
}

describe('the screen of a policy', () => {
  it('takes a rule written by the form, says what it would change, and saves it at its place', async () => {
    await open('admin');
    await writeRule('After invalid');
    await user.click(button('What would it change?'));
    const answer = await screen.findByText('37 of 600 signups (6%)');
    expect(answer.parentElement?.textContent).toContain(
      'It also ran over 4 signups, 300 verifications, and 296 rows of lists: this policy did not decide them, so they can’t change.',
    );
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
    expect(store.simulated).toEqual([{ ...FIRST, rules }]);
    expect(store.versions[1]).toMatchObject({ rules });
  });

  it('puts a new rule where its decision needs it, until another place is chosen', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const place = form.getByRole<HTMLInputElement>('combobox', { name: 'Place in the order' });
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
    await user.click(form.getByRole('button', { name: 'Add to the draft' }));
    form.getByText('Enter a value');
    await chooseFree(form);
    await user.click(form.getByRole('button', { name: 'Add to the draft' }));
    await save(2);
    expect(store.versions[1]?.rules.map(({ id }) => id)).toEqual(['invalid', 'rule', 'hold']);
  });

  /** A new rule whose condition reads the number. */
  async function readNumber() {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const path = form.getByRole('combobox', { name: 'Value that is read' });
    await user.clear(path);
    await user.paste('verification.bounce_probability');
    return form;
  }

  it('takes a number with a comma, also all of it at once', async () => {
    const form = await readNumber();
    const value = form.getByRole<HTMLInputElement>('textbox', { name: 'Value' });
    fireEvent.change(value, { target: { value: '0,3%' } });
    expect(value.value).toBe('0.3%');
    form.getByText('When bounce probability is 0.3%.');
  });

  it('takes a decimal comma also among several numbers', async () => {
    const form = await readNumber();
    await user.click(form.getByRole('combobox', { name: 'Operator' }));
    await user.click(await screen.findByRole('option', { name: 'is one of' }));
    await user.type(form.getByRole('combobox', { name: 'Value' }), '12,5{Enter}20;30{Enter}');
    expect(await form.findByText('When bounce probability is one of 12.5%, 20%, 30%.')).toBeTruthy();
  });

  it('moves the focus of a removed rule to the next one, and behind the last to Add rule', async () => {
    await open('admin');
    button('Remove invalid').focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(button('Remove hold'));
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(button('Add rule'));
  });

  it('names a path in words, with the path itself below', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const path = form.getByRole<HTMLInputElement>('combobox', { name: 'Value that is read' });
    expect(path.value).toBe('Email type');
    await user.clear(path);
    await user.paste('bounce');
    await choose(path, 'Bounce probability verification.bounce_probability');
    expect(path.value).toBe('Bounce probability');
    const below = document.getElementById(path.getAttribute('aria-describedby')?.split(' ')[0] ?? '');
    expect(below?.textContent).toBe('verification.bounce_probability');
  });

  it.each(['verification.email_type', 'email type'])(
    'takes %s letter by letter, though its start is a path too',
    async (text) => {
      await open('admin');
      await user.click(button('Add rule'));
      const form = within(await screen.findByRole('dialog'));
      const path = form.getByRole<HTMLInputElement>('combobox', { name: 'Value that is read' });
      await user.clear(path);
      await user.type(path, text);
      expect(path.value).toBe(text);
      await user.tab();
      expect(path.value).toBe('Email type');
      const below = document.getElementById(path.getAttribute('aria-describedby')?.split(' ')[0] ?? '');
      expect(below?.textContent).toBe('verification.email_type');
    },
  );

  it('says what a version changed, and shows its JSON once it is asked for', async () => {
    await open('admin');
    await user.click(button('Remove hold'));
    await save(2);
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await user.click(await screen.findByRole('button', { name: 'What changed' }));
    await screen.findByText('Rule hold is removed.', { exact: false });
    expect(window.location.search).toBe('?view=versions&version=2');
    expect(document.querySelector('.difference')).toBeNull();
    await user.click(button('Show JSON'));
    expect(document.querySelectorAll('.difference [data-kind="removed"]').length).toBeGreaterThan(0);
  });

  it('says at the field what can be no condition, and keeps such a rule out of the draft', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const dialog = await screen.findByRole('dialog');
    const form = within(dialog);
    const id = form.getByRole('textbox', { name: 'Id' });
    await user.clear(id);
    await user.type(id, 'germany');
    const path = form.getByRole('combobox', { name: 'Value that is read' });
    const reads = async (text: string) => {
      await user.clear(path);
      await user.paste(text);
    };
    const add = () => user.click(form.getByRole('button', { name: 'Add to the draft' }));
    await reads('country');
    await add();
    form.getByText(/^One of the list, or attributes/);
    expect(document.activeElement).toBe(path);
    await reads('company.country');
    const value = form.getByRole('textbox', { name: 'Value' });
    await user.clear(value);
    await add();
    form.getByText('Enter a value');
    expect(document.activeElement).toBe(value);
    await user.type(value, 'Germany');
    await add();
    form.getByText('Two capital letters, as DE');
    await user.clear(value);
    await user.type(value, 'DE');
    await add();
    await waitFor(() => expect(dialog.isConnected).toBe(false));
  });

  it('says that a value is missing only once its field was left', async () => {
    await open('admin');
    await user.click(button('Add rule'));
    const form = within(await screen.findByRole('dialog'));
    const path = form.getByRole('combobox', { name: 'Value that is read' });
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
    await open('admin');
    await user.click(screen.getByRole('switch', { name: 'Decide by the bounce probability too' }));
    for (const [name, percent] of [
      ['Reviewed from', '25'],
      ['Turned away from', '90'],
    ] as const) {
      const field = screen.getByRole('textbox', { name });
      await user.clear(field);
      await user.type(field, percent);
      await user.tab();
    }
    await screen.findByText(/40% would be reviewed and 20% turned away/);
    await save(2);
    const limits = store.versions[1]?.rules.filter(({ id }) => id.startsWith('number-'));
    expect(limits).toMatchObject([
      { decision: 'deny', when: { path: 'verification.bounce_probability', op: 'gte', value: 0.9 } },
      { decision: 'review', when: { path: 'verification.bounce_probability', op: 'gte', value: 0.25 } },
    ]);
  });

  /** Opens the JSON of a policy with a running experiment, and writes another text in its place. */
  async function writeJson(next: (text: string) => string) {
    const [first] = FIRST.rules as [PolicyRule];
    store.save({ ...FIRST, rules: [{ ...first, experiment: { id: 'sooner', weight: 50, min_sample: 400 } }] });
    await openPage('policy?view=json', 'admin', store.answer);
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /JSON/ });
    fireEvent.change(field, { target: { value: next(field.value) } });
    return field.value;
  }
  /** What stays sound beside a member that only the service may know. */
  const SOUND = /^(?:(?:name|id|path|op|value) "constructor"|experiment |weight 5)$/;
  const withRule = (rule: string) => (text: string) => text.replace('"rules": [', `"rules": [${rule},`);

  it.each<[string, ((text: string) => string)[]]>([
    ['document', ['null', '5', '[]', '{}', '"x"', ''].map((text) => () => text)],
    ['rule', ['null', '5', '[]', '{}', '"x"'].map(withRule)],
    [
      'condition of a rule',
      ['{"all":[""]}', '{"all":["x"]}', '{"all":[null]}', '{"all":{}}', '{"any":3}', '{"not":null}', '{"path":{}}'].map(
        (when) => withRule(`{ "id": "new", "when": ${when}, "decision": "deny" }`),
      ),
    ],
    ...['name', 'rules', 'default', 'id', 'when', 'decision', 'path', 'op', 'value', 'experiment', 'weight'].map(
      (name): [string, ((text: string) => string)[]] => [
        name,
        ['', '5', 'null', '{}', '[{}]', '"constructor"']
          .filter((value) => !SOUND.test(`${name} ${value}`))
          .map((value) => (text) => text.replace(`"${name}":`, `${value && `"${name}": ${value},`}"was":`)),
      ],
    ),
  ])('keeps a text with a wrong %s in every view, and says what is wrong', async (_what, changes) => {
    const saved = await writeJson((text) => text);
    for (const next of changes) {
      const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /JSON/ });
      fireEvent.change(field, { target: { value: next(saved) } });
      expect(button('Save as version 3').hasAttribute('disabled')).toBe(true);
      await user.click(screen.getByRole('tab', { name: 'Rules' }));
      await screen.findByText('The JSON is broken');
      await user.click(screen.getByRole('tab', { name: 'JSON' }));
      expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /JSON/ })).value).toBe(next(saved));
    }
    expect(screen.queryByText('This touches a running experiment')).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Experiments' }));
    await screen.findAllByText('What counts');
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await screen.findByText('in force');
  });

  it('shows a wrong type at its line, and the rules once it is mended', async () => {
    const text = await writeJson((was) => was.replace('"verification.verdict"', '5'));
    expect(document.querySelector('mark')?.textContent).toBe('5');
    await user.click(screen.getByRole('tab', { name: 'Rules' }));
    const found = await screen.findByText(/The rules show again/);
    expect(found.parentElement?.textContent).toContain(
      'Line 7: Rule invalid: a condition: path has to be text in double quotes',
    );
    await user.click(button('Mend it in the JSON'));
    const field = await screen.findByRole('textbox', { name: /JSON/ });
    fireEvent.change(field, { target: { value: text.replace('"path": 5', '"path": "verification.verdict"') } });
    await user.click(screen.getByRole('tab', { name: 'Rules' }));
    expect(await screen.findByText('Rules in order')).toBeTruthy();
  });

  it.each([
    ['deleting its rule', async () => user.click(button('Remove invalid'))],
    [
      'restoring a version without it',
      async () => {
        await user.click(screen.getByRole('tab', { name: 'Versions' }));
        await user.click(await screen.findByRole('button', { name: 'Restore' }));
      },
    ],
  ])('warns of the end of a running experiment by %s', async (_title, act) => {
    const [first, ...rest] = FIRST.rules as [PolicyRule];
    store.save({ ...FIRST, rules: [{ ...first, experiment: { id: 'sooner', weight: 50, min_sample: 400 } }, ...rest] });
    await open('admin');
    await act();
    await screen.findByText('This touches a running experiment');
    expect(screen.getByText('sooner').parentElement?.textContent).toBe(
      'The experiment sooner ends: the draft has no experiment of this name.',
    );
  });

  it('restores a version as the next one', async () => {
    await open('admin');
    await user.click(button('Remove hold'));
    await save(2);
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await user.click(await screen.findByRole('button', { name: 'Restore' }));
    await screen.findByText('Not saved yet.');
    await save(3);
    expect(store.versions.map(({ rules }) => rules.length)).toEqual([2, 1, 2]);
    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    await screen.findByText('version 1 restored');
    const numbers = Array.from(document.querySelectorAll('tbody td:first-child'), (cell) => cell.textContent ?? '');
    expect(numbers.map((text) => /restored/.test(text))).toEqual([true, false, false]);
  });

  it('says that a version is saved, until the next change', async () => {
    await open('admin');
    await user.click(button('Remove hold'));
    await save(2);
    await screen.findByText('Version 2 is saved and decides from now on.');
    expect(screen.getAllByRole('status').map((each) => each.textContent)).toContain(
      'Version 2 is saved and decides from now on.',
    );
    await user.click(button('Remove invalid'));
    await waitFor(() => expect(screen.queryByText(/is saved and decides/)).toBeNull());
  });

  it('keeps the warning about an experiment in one line on a phone, behind the answer of a trial', async () => {
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
    await user.click(button('Remove invalid'));
    const title = await screen.findByText('This touches a running experiment');
    expect(screen.queryByText('sooner')).toBeNull();
    await user.click(button('What changes?'));
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
    await screen.findByText('Version 5 against version 4');
    expect(read.toSorted((one, other) => one - other)).toEqual([
      4,
      5,
      ...Array.from({ length: 11 }, (_, at) => 30 + at),
    ]);
    cleanup();
    await openPage('policy?view=versions&version=1', 'viewer', answer);
    await screen.findByText('Version 1 is the first: nothing stood before it.');
  });

  it.each(['version=1', 'version=%221%22'])('opens a version by its address, new or old: %s', async (version) => {
    await openPage(`policy?view=versions&${version}`, 'viewer', store.answer);
    expect(await screen.findByText('Version 1 is the first: nothing stood before it.')).toBeDefined();
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
    const stop = await screen.findByText(/^Stop it: take the experiment off the rule/);
    const said = stop.parentElement?.textContent?.replaceAll('\u00a0', ' ') ?? '';
    expect(said).toMatch(/^Stop it: .*“Activated”, which must not get worse, is clearly lower: 30% with the rule/);
    expect(said).toContain('The rule almost certainly does better by “Subscribed” (above 99.9%).');
    expect(said).not.toContain('each morning');
    await user.click(button('Go to the rule'));
    await screen.findByText('Rules in order');
    expect(window.location.search).toBe('?view=rules&rule=invalid');
  });

  it('gives up a draft for what is in force', async () => {
    await open('admin');
    await user.click(button('Remove hold'));
    await user.click(button('Discard'));
    await waitFor(() => expect(screen.queryByText('Not saved yet.')).toBeNull());
    expect(button('Remove hold')).toBeTruthy();
  });

  it.each(['member', 'viewer'] as const)('shows a %s the rules, and lets them change none', async (role) => {
    await open(role);
    expect(screen.queryByRole('button', { name: 'Add rule' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Remove / })).toBeNull();
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Free mailboxes' }).disabled).toBe(true);
  });

  it('names what the service refuses, at its line of the JSON', async () => {
    await open('admin');
    await user.click(button('Remove hold'));
    store.refusal = '`policy.rules[0].when.value` must be one of valid, risky.';
    await user.click(button('Save as version 2'));
    await screen.findByText('Line 9:', { exact: false });
    expect(screen.getByText('rules[0].when.value')).toBeTruthy();
    expect(store.versions).toHaveLength(1);
  });
});
