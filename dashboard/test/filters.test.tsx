import { screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Call, openPage } from './open-page.tsx';

let calls: Call[];
let user: UserEvent;
beforeEach(() => {
  calls = [];
  user = userEvent.setup({ delay: null });
});
/** An organisation where every list is empty. */
function answer(call: Call): object | undefined {
  calls.push(call);
  const lists: Readonly<Record<string, object>> = {
    '/v1/keys': { keys: [], cursor: null },
    '/v1/audit': { entries: [], cursor: null },
    '/v1/bulk/jobs': { jobs: [], cursor: null },
    '/v1/domains/blocklist': { entries: [], count: 0, cursor: null },
    '/v1/members': { members: [], cursor: null },
  };
  return lists[call.path];
}

/** The query of the newest call of a list, without its page. */
function askedOf(path: string): object {
  const { query } = calls.findLast((call) => call.path === path) ?? {};
  return Object.fromEntries([...(query ?? [])].filter(([name]) => name !== 'limit'));
}

const ACTOR = 'u_00000000000000000000000002';

describe('a list', () => {
  it.each([
    ['keys?state=ended&role=viewer&mode=test', '/v1/keys', { state: 'ended', role: 'viewer', mode: 'test' }],
    ['keys?state=gone&role=owner', '/v1/keys', {}],
    [`audit?action=key.created&actor=${ACTOR}`, '/v1/audit', { action: 'key.created', actor: ACTOR }],
    ['audit?time=7d', '/v1/audit', { from: expect.stringMatching(/^\d+$/) }],
    ['audit?action=all&actor=ada&time=ever', '/v1/audit', {}],
    ['lists?state=paused_quota', '/v1/bulk/jobs', { state: 'paused_quota' }],
    ['lists?state=lost', '/v1/bulk/jobs', {}],
  ])('asks by the filters of its address that it knows: %s', async (address, path, asked) => {
    await openPage(address, 'admin', answer);
    await waitFor(() => expect(calls.map((call) => call.path)).toContain(path));
    expect(askedOf(path)).toEqual(asked);
  });

  it('puts a choice into the address, and clears all of them where nothing fits', async () => {
    await openPage('keys', 'admin', answer);
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Role' }), 'Viewer');
    await waitFor(() => expect(askedOf('/v1/keys')).toEqual({ role: 'viewer' }));
    expect(window.location.search).toBe('?role=viewer');
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await screen.findByText('No keys yet');
    expect(window.location.search).toBe('');
  });
});

describe('the search of a rule list', () => {
  it('never puts an address into the URL, nor the text that it grew from', async () => {
    await openPage('rules', 'admin', answer);
    const box = await screen.findByRole('textbox', { name: 'Search the list' });
    await user.type(box, 'ada@business.test');
    await screen.findByText(/^Addresses are stored as a hash/);
    // Applied after a pause; one that the address had begun would be over by then.
    await user.clear(box);
    await user.type(box, 'news');
    await waitFor(() => expect(askedOf('/v1/domains/blocklist')).toEqual({ search: 'news' }));
    const searched = calls.map(({ query }) => query.get('search') ?? '');
    expect(searched.filter((text) => text !== '' && !'news'.startsWith(text))).toEqual([]);
  });
});
