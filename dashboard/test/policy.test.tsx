import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Policy, PolicyDocument, PolicyRule } from '../app/api/schema.ts';
import type { Role } from '../app/api/session.ts';
import { type Call, openPage, refused } from './open-page.tsx';

const FIRST: PolicyDocument = {
  name: 'Default',
  rules: [
    { id: 'invalid', when: { path: 'verification.verdict', op: 'eq', value: 'invalid' }, decision: 'deny' },
    {
      id: 'hold',
      when: { path: 'verification.recommendation', op: 'in', value: ['hold', 'challenge'] },
      decision: 'review',
    },
  ],
  default: 'allow',
  icp: null,
};

/** The policies of an account, as the API keeps them: every save is a version, and a stale one is refused. */
function openStore() {
  const versions: Policy[] = [];
  const save = (document: PolicyDocument): Policy => {
    const policy = {
      ...document,
      slug: 'default',
      version: versions.length + 1,
      created_at: 1_790_000_000 + versions.length,
      created_by: null,
    } as Policy;
    versions.push(policy);
    return policy;
  };
  save(FIRST);
  const simulated: PolicyDocument[] = [];
  const store = { versions, simulated, refusal: null as string | null, save, answer };
  function answer({ method, path, query, headers, body }: Call): object | undefined {
    const newest = versions.at(-1);
    if (path === '/v1/policies') return { policies: [newest] };
    if (path === '/v1/traces')
      return {
        traces: [0.01, 0.02, 0.3, 0.6, 0.95].map((bounce_probability) => ({ bounce_probability })),
        cursor: null,
      };
    if (path === '/v1/traces/dc_00000000000000000000000009')
      return {
        trace: {
          display: 'z•••@gmail.com',
          bounce_probability: 0.45,
          policy_decision: { decision: 'allow' },
          bulk_decision: null,
        },
      };
    if (path === '/v1/policies/default/simulate') {
      simulated.push((body as { policy: PolicyDocument }).policy);
      return {
        window_days: 30,
        traces: 1_200,
        undetermined: 0,
        complete: true,
        changed: [{ from: 'allow', to: 'deny', count: 37 }],
        sample_trace_ids: ['dc_00000000000000000000000009'],
      };
    }
    if (path !== '/v1/policies/default') return undefined;
    if (method === 'PUT') {
      if (store.refusal !== null) return refused(422, store.refusal);
      expect(headers.get('if-match')).toBe(`"${newest?.version}"`);
      return { policy: save(body as PolicyDocument) };
    }
    const asked = query.get('version');
    return { policy: asked === null ? newest : versions[Number(asked) - 1] };
  }
  return store;
}

let store: ReturnType<typeof openStore>;
let user: UserEvent;
beforeEach(() => {
  store = openStore();
  user = userEvent.setup({ delay: null });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
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
  if (field === undefined) throw new Error('there is no such field');
  return field;
}

/** Writes a rule by the form: free mailboxes whose number is above a value are denied. */
async function writeRule(place?: string) {
  await user.click(button('Add rule'));
  const form = within(await screen.findByRole('dialog'));
  await user.click(form.getByRole('button', { name: 'Add condition' }));
  const path = last(form.getAllByRole('combobox', { name: 'Value that is read' }));
  await user.clear(path);
  await user.paste('verification.bounce_probability');
  await choose(last(form.getAllByRole('combobox', { name: 'Operator' })), 'is above');
  const value = last(form.getAllByRole('textbox', { name: 'Value' }));
  await user.clear(value);
  await user.type(value, '0.4');
  await choose(form.getByRole('combobox', { name: 'Decision' }), 'Deny');
  const id = form.getByRole('textbox', { name: 'Id' });
  await user.clear(id);
  await user.type(id, 'free-and-risky');
  form.getByText('It sees the addresses that the 2 rules before it leave. After it, only the default decides.');
  if (place !== undefined) await choose(form.getByRole('combobox', { name: 'Place in the order' }), place);
  await user.click(form.getByRole('button', { name: 'Add to the draft' }));
}

describe('the screen of a policy', () => {
  it('takes a rule written by the form, says what it would change, and saves it at its place', async () => {
    await open('admin');
    await writeRule('First, before invalid');
    await user.click(button('What would it change?'));
    await screen.findByText('37 of 1,200');
    const sample = await screen.findByRole('link', { name: /^z•••@gmail.com/ });
    expect(sample.getAttribute('href')).toContain('trace=dc_00000000000000000000000009');
    expect(sample.closest('li')?.textContent).toMatch(/45\u00a0%Allow.*Deny$/);
    expect(store.versions).toHaveLength(1);
    await save(2);
    const rule = {
      id: 'free-and-risky',
      when: {
        all: [
          { path: 'verification.email_type', op: 'eq', value: 'free' },
          { path: 'verification.bounce_probability', op: 'gt', value: 0.4 },
        ],
      },
      decision: 'deny',
    };
    expect(store.simulated).toEqual([{ ...FIRST, rules: [rule, ...FIRST.rules] }]);
    expect(store.versions[1]).toMatchObject({ rules: [rule, ...FIRST.rules] });
  });

  it('puts a new rule last, where nothing else is chosen', async () => {
    await open('admin');
    await writeRule();
    await save(2);
    expect(store.versions[1]?.rules.map(({ id }) => id)).toEqual(['invalid', 'hold', 'free-and-risky']);
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
    await screen.findByText(/40\s% would be reviewed and 20\s% turned away/);
    await save(2);
    const limits = store.versions[1]?.rules.filter(({ id }) => id.startsWith('number-'));
    expect(limits).toMatchObject([
      { decision: 'deny', when: { path: 'verification.bounce_probability', op: 'gte', value: 0.9 } },
      { decision: 'review', when: { path: 'verification.bounce_probability', op: 'gte', value: 0.25 } },
    ]);
  });

  it.each([
    '{"all":[""]}',
    '{"all":["x"]}',
    '{"all":[null]}',
    '{"all":{}}',
    '{"any":3}',
    '{"not":null}',
    '{"path":{}}',
  ])('stays while %s is typed as the condition of a rule in front of an experiment', async (when) => {
    const [first] = FIRST.rules as [PolicyRule];
    store.save({ ...FIRST, rules: [{ ...first, experiment: { id: 'sooner', weight: 50, min_sample: 400 } }] });
    await openPage('policy?view=json', 'admin', store.answer);
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /JSON/ });
    const next = field.value.replace('"rules": [', `"rules": [{ "id": "new", "when": ${when}, "decision": "deny" },`);
    fireEvent.change(field, { target: { value: next } });
    await screen.findByText('This touches a running experiment');
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
