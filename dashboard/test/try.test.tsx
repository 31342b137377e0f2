import { fireEvent, screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Call, openPage } from './open-page.tsx';

let calls: Call[];
let user: UserEvent;
/** What the lists wait for before they answer. */
let meanwhile: Promise<void> | undefined;
/** How many entries a removal finds. */
let standing: number;
beforeEach(() => {
  calls = [];
  meanwhile = undefined;
  standing = 1;
  user = userEvent.setup({ delay: null });
});
const DECISION = {
  decision: 'allow',
  flow: null,
  rule_id: 'default',
  policy: { slug: 'default', version: 1 },
  experiment: null,
  verification: {
    recommendation: 'send',
    verdict: 'valid',
    bounce_probability: 0.02,
    confidence_interval: [0.01, 0.05],
    reasons: [],
    signals: {},
    email_type: 'business',
    actor_class: 'human_mailbox',
    esp: 'self_hosted',
    calibration: 'prior',
  },
  company: null,
  cost_usd: 0,
  latency_ms: 12,
};

/** What a list says to each press that puts an address on it, the last time and again, and what it answers otherwise. */
const putting = (said: readonly object[]) => (call: Call) => {
  calls.push(call);
  if (call.path === '/v1/decide')
    return { ...DECISION, trace_id: `dc_${calls.filter(({ path }) => path === '/v1/decide').length}` };
  if (call.path === '/v1/losses')
    return { losses: { signup: { bounce: 5, contact_lost: 40, held_good: 0.1, held_bad: 1 } } };
  if (!call.path.startsWith('/v1/addresses/')) return undefined;
  if (call.method === 'DELETE') return { removed: standing, total: 0, rejected: [] };
  const added = said[changes().filter(([method]) => method === 'POST').length - 1] ?? said.at(-1);
  const answer = { added: 0, moved: 0, unchanged: 0, total: 1, rejected: [], ...added };
  return meanwhile === undefined ? answer : meanwhile.then(() => answer);
};

async function judge(...said: object[]) {
  await openPage('try', 'member', putting(said));
  await user.type(await screen.findByRole('textbox', { name: 'Email address' }), 'ada@acme.example{Enter}');
}

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const OLD = 'This result is out of date';
const changes = () =>
  calls.filter(({ path }) => path.startsWith('/v1/addresses/')).map(({ method, path, body }) => [method, path, body]);

describe('an answer of Try it', () => {
  it('says that it is from before a change of the lists, until the change is undone', async () => {
    await judge({ added: 1 });
    await press('Block address');
    await screen.findByText('Added to your block list.');
    await screen.findByText(OLD);
    await press('Undo');
    const undone = await screen.findByText('Removed from your block list.');
    expect(document.activeElement).toBe(undone);
    await waitFor(() => expect(screen.queryByText(OLD)).toBeNull());
    expect(changes()).toEqual([
      ['POST', '/v1/addresses/blocklist', { emails: ['ada@acme.example'] }],
      ['DELETE', '/v1/addresses/blocklist', { emails: ['ada@acme.example'] }],
    ]);
    await screen.findByRole('button', { name: 'Allow address' });
  });

  it('is not changed by the second click of a double click on Undo', async () => {
    await judge({ added: 1 });
    await press('Block address');
    await press('Undo');
    fireEvent.click(await screen.findByRole('button', { name: 'Block address' }), { detail: 2 });
    expect(changes()).toHaveLength(2);
    await press('Block address');
    await screen.findByText('Added to your block list.');
    expect(changes()).toHaveLength(3);
  });

  it('stays an old one where somebody else has moved the entry that Undo should take off', async () => {
    await judge({ added: 1 });
    await press('Block address');
    standing = 0;
    await press('Undo');
    await screen.findByText('Already removed from your block list by someone else.');
    expect(screen.queryByText(OLD)).not.toBeNull();
    await screen.findByRole('button', { name: 'Check again' });
  });

  it('is said in one sentence to a screen reader', async () => {
    await judge({});
    const said = (await screen.findAllByRole('status')).map(({ textContent }) => textContent);
    expect(said).toEqual(['Decision: Allow. Recommendation: Send.']);
  });

  it('names every zone of the number, those that are too narrow below the bar', async () => {
    await judge({});
    const scale = await screen.findByRole('img', { name: /^Bounce risk/ });
    const named = Array.from(scale.querySelectorAll('g > text'), (text) => text.textContent);
    expect(named).toContain('send');
    expect(named).not.toContain('drop');
    expect(scale.parentElement?.textContent?.replaceAll('\u00a0', ' ')).toMatch(/Drop: above 9\d(\.\d)?%$/);
  });

  it('says what its number and its recommendation do not say together: what settles it, and what could not be looked up', async () => {
    const verification = {
      ...DECISION.verification,
      recommendation: 'drop',
      bounce_probability: 0.18,
      reasons: ['mx_unresolved', 'disposable_domain'],
    };
    await openPage('try', 'member', (call) => {
      if (call.path !== '/v1/decide') return putting([])(call);
      calls.push(call);
      return { ...DECISION, trace_id: 'dc_1', verification };
    });
    const field = await screen.findByRole('textbox', { name: 'Email address' });
    await user.type(field, '   {Enter}');
    await screen.findByText('Enter an address.');
    await user.type(field, 'ada@acme.example{Enter}');
    await screen.findByText('Disposable addresses are offered at this domain. That always means drop.');
    screen.getByText('The domain’s mail hosts couldn’t be looked up. Retry later.');
    expect(calls.filter(({ path }) => path === '/v1/decide')).toHaveLength(1);
  });

  it('undoes a move between the lists by the move back', async () => {
    await judge({ moved: 1 });
    await press('Allow address');
    await screen.findByText('Moved from your block list to your allow list.');
    await press('Undo');
    await screen.findByText('Back on your block list, without its note.');
    expect(changes().at(-1)).toEqual(['POST', '/v1/addresses/blocklist', { emails: ['ada@acme.example'] }]);
  });

  it('is asked for again after a change, and is then not an old one', async () => {
    await judge({ added: 1 });
    await press('Block address');
    await press('Check again');
    await screen.findByText('dc_2');
    expect(document.activeElement?.contains(screen.getByText('dc_2'))).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    expect(screen.queryByText(OLD)).toBeNull();
  });

  it('takes an address off the list on which it stood already', async () => {
    await judge({ unchanged: 1 });
    await press('Block address');
    await screen.findByText('Already on your block list.');
    expect(screen.queryByText(OLD)).toBeNull();
    await press('Remove from list');
    await screen.findByText(OLD);
  });

  it('is an old one as long as the address does not stand where it stood when it was judged', async () => {
    await judge({ unchanged: 1 }, { added: 1 });
    await press('Block address');
    await press('Remove from list');
    await screen.findByText('Removed from your block list.');
    await press('Block address');
    await screen.findByText('Added to your block list.');
    await waitFor(() => expect(screen.queryByText(OLD)).toBeNull());
    await press('Undo');
    await screen.findByText('Removed from your block list.');
    await screen.findByText(OLD);
  });

  it('says why an address is on no list, and stays unchanged', async () => {
    await judge({ rejected: [{ index: 0, reason: 'invalid_address' }] });
    await press('Block address');
    await screen.findByText('Can’t be added: not an email address.');
    expect(screen.queryByText(OLD)).toBeNull();
    screen.getByRole('button', { name: 'Allow address' });
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('leaves the focus where the person went on meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    meanwhile = promise;
    await judge({ added: 1 });
    await press('Block address');
    const field = screen.getByRole('textbox', { name: 'Email address' });
    await user.click(field);
    resolve();
    await screen.findByText('Added to your block list.');
    expect(document.activeElement).toBe(field);
  });
});
