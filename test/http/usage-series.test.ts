import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const service = await startService();

async function used() {
  const organisation = await service.createOrganisation();
  const { keys } = organisation;
  const post = (path: string, body: object, key = keys.member) => service.call('POST', `/v1/${path}`, key, body);
  for (const email of ['ada@business.test', 'bob@business.test', 'x@nxdomain.test']) await post('verify', { email });
  await post('decide', { email: 'ada@business.test' }, keys.admin);
  await post('screen', { email: 'ada@business.test' });
  await post('verify', { email: 'deliverable@example.com' }, keys.test);
  const get = (path: string, key = keys.viewer) => service.call('GET', `/v1/${path}`, key);
  return { ...organisation, post, get };
}

const counts = (series: { value: string | null; points: { calls: number }[] }[]) =>
  Object.fromEntries(series.map(({ value, points }) => [value, points.reduce((sum, { calls }) => sum + calls, 0)]));

describe('GET /v1/usage/series', () => {
  it('counts what was called, at once, by day and month', async () => {
    const { get } = await used();
    const { body } = await get('usage/series?by=kind');
    expect(counts(body.series)).toEqual({ decide: 1, screen: 1, verify: 3 });
    const month = (await get('usage/series?interval=month')).body;
    expect(counts(month.series)).toEqual({ null: 5 });
    const { at } = month.series[0].points[0];
    expect(new Date(at * 1_000).toISOString()).toMatch(/-01T00:00:00/);
    expect(counts((await get('usage/series?by=recommendation')).body.series)).toEqual({ drop: 1, send: 3 });
    expect(counts((await get('usage/series?by=decision')).body.series)).toEqual({ allow: 1 });
  });

  it('shows by key all keys to an admin, its own to another, and none to a test key', async () => {
    const { get, keys } = await used();
    const idOf = async (key: string) => (await get('me', key)).body.key.id;
    const [member, admin] = [await idOf(keys.member), await idOf(keys.admin)];
    const by = async (key: string) => counts((await get('usage/series?by=key', key)).body.series);
    expect(await by(keys.admin)).toEqual({ [member]: 4, [admin]: 1 });
    expect(await by(keys.member)).toEqual({ [member]: 4 });
    expect(await by(keys.viewer)).toEqual({});
    expect((await get('usage/series?by=key', keys.test)).status).toBe(403);
  });

  it.each([
    ['by=recommendation&kind=verify', { drop: 1, send: 2 }],
    ['by=kind&decision=allow', { decide: 1 }],
    ['by=kind&recommendation=send', { decide: 1, verify: 2 }],
    ['kind=bulk', {}],
    ['by=kind&kind=screen', { screen: 1 }],
  ])('counts what fits the filters alone: %s', async (query, found) => {
    const { get } = await used();
    expect(counts((await get(`usage/series?${query}`)).body.series)).toEqual(found);
  });

  it('counts one key for whoever sees its traces, and refuses a test key', async () => {
    const { get, keys, createKey } = await used();
    const { id } = (await get('me', keys.member)).body.key;
    const manual = await createKey({ role: 'member', origin: 'manual' });
    const of = async (key: string, asked = id, query = '') =>
      counts((await get(`usage/series?key_id=${asked}${query}`, key)).body.series);
    expect(await of(keys.viewer)).toEqual({ null: 4 });
    expect(await of(keys.admin, id, '&by=key')).toEqual({ [id]: 4 });
    expect(await of(keys.viewer, id, '&by=key')).toEqual({});
    expect(await of(manual.key)).toEqual({});
    expect(await of(keys.admin, 'nonsense')).toEqual({});
    expect((await get(`usage/series?key_id=${id}`, keys.test)).status).toBe(403);
  });

  it.each([
    'kind=signup',
    'decision=no',
    'recommendation=review',
    'from=x',
    'from=20&to=10',
    'from=0&to=40000000',
    'interval=week',
    'by=address',
  ])('refuses %s', async (query) => {
    const { keys } = await service.createOrganisation();
    expect((await service.call('GET', `/v1/usage/series?${query}`, keys.viewer)).status).toBe(400);
  });
});

describe('a narrowed list', () => {
  it('of traces has those alone, and search finds an address in every spelling', async () => {
    const { get, post, keys } = await used();
    const shown = async (query: string) =>
      (await get(`traces?${query}`)).body.traces.map(({ display }: { display: string }) => display);
    expect(await shown('reason=no_mx')).toEqual(['x•••@nxdomain.test']);
    expect(await shown('domain=BUSINESS.test&kind=verify')).toEqual(['b•••@business.test', 'a•••@business.test']);
    expect(await shown('decision=allow')).toEqual(['a•••@business.test']);
    expect(await shown(`to=${Math.floor(Date.now() / 1_000) - 3_600}`)).toEqual([]);
    expect(await shown('verdict=invalid&recommendation=send')).toEqual([]);
    expect((await get('traces?verdict=wrong')).status).toBe(400);
    const { traces } = (await post('traces/search', { email: 'ADA@business.test' }, keys.admin)).body;
    expect(traces.map(({ kind }: { kind: string }) => kind)).toEqual(['decide', 'verify']);
    expect((await post('traces/search', { email: 'nobody' }, keys.admin)).status).toBe(400);
    expect((await post('traces/search', { email: 'ada@business.test' })).status).toBe(403);
  });

  it('of screenings has those alone', async () => {
    const { get, post } = await used();
    await post('screen', { email: 'ada.lovelcae@gmail.com', name: 'Ada Lovelace' });
    const shown = async (query: string) =>
      (await get(`screenings?${query}`)).body.screenings.map(({ display }: { display: string }) => display);
    expect(await shown('domain=gmail.com')).toEqual(['a•••@gmail.com']);
    const { recommendation } = (await get('screenings?domain=business.test')).body.screenings[0].screening;
    const other = recommendation === 'allow' ? 'review' : 'allow';
    expect(await shown(`recommendation=${recommendation}&domain=business.test`)).toEqual(['a•••@business.test']);
    expect(await shown(`recommendation=${other}&domain=business.test`)).toEqual([]);
    expect(await shown('from=1&to=2')).toEqual([]);
  });
});
