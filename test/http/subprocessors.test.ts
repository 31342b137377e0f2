import { createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { PolicyDocument } from '../../src/contract/policy.ts';
import { Subprocessors } from '../../src/contract/privacy.ts';
import { ENRICHMENT_VENDOR_IDS } from '../../src/domain/policy/enrichment.ts';
import { SUBPROCESSORS, type Subprocessor } from '../../src/domain/privacy/data-handling.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { listening } from '../support/on-port.ts';
import { startService } from '../support/service.ts';

/** A provider, an enrichment vendor and a model on this machine, and which of them were asked. */
const asked: string[] = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://vendor');
  const isModel = pathname.endsWith('/chat/completions');
  const isPerson = pathname === '/v2/people/find' || pathname === '/v2/combined/find';
  asked.push(isModel ? 'model' : pathname.endsWith('/find') ? (isPerson ? 'person' : 'company') : 'kickbox');
  const label = { choices: [{ message: { content: '{"domain_check":"ok","fake_name":"unlikely"}' } }] };
  const company = { name: 'Acme', domain: 'zoho.test', geo: { countryCode: 'DE' } };
  const person = { employment: { seniority: 'executive', role: 'sales' } };
  const found = pathname === '/v2/combined/find' ? { company, person } : isPerson ? person : company;
  const verdict = { success: true, result: 'deliverable', reason: 'accepted_email', role: false };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(isModel ? label : pathname.endsWith('/find') ? { data: found } : verdict));
});
const origin = await listening(server);
const service = await startService({
  ENRICHMENT_HUNTER_API_KEY: 'k',
  ENRICHMENT_HUNTER_BASE_URL: origin,
  ENRICHMENT_HUNTER_COST_USD: '0.01',
  KICKBOX_API_KEY: 'k',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.0001',
  MODEL_BACKEND: 'openai',
  MODEL_BASE_URL: `${origin}/v1`,
  MODEL_NAME: 'tiny',
  MODEL_COST_USD: '0.001',
});
afterAll(() => server.closeAllConnections());
beforeEach(() => void (asked.length = 0));

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const post = async (of: Organisation, path: string, body: object) => {
  const answer = await service.call('POST', path, of.keys.member, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const listed = async (of: Organisation) =>
  Subprocessors.parse((await service.call('GET', '/v1/subprocessors', of.keys.viewer)).body).subprocessors;
const turn = (of: Organisation, id: string, enabled: boolean) =>
  service.call('PATCH', `/v1/subprocessors/${id}`, of.keys.admin, { enabled });
const sentTo = async (of: Organisation, id: string) =>
  (await service.call('GET', `/v1/traces/${id}`, of.keys.admin)).body.trace.sent_to;

const rule = (path: string): PolicyDocument['rules'][number] => ({
  id: path,
  when: { path, op: 'exists', value: true },
  decision: 'review',
});
const decideBy = async (of: Organisation, ...paths: string[]) => {
  const document = { name: 'enriching', rules: paths.map(rule), default: 'allow' };
  const { status, body } = await service.call('PUT', '/v1/policies/default', of.keys.admin, document);
  expect(status, JSON.stringify(body)).toBe(200);
};

describe('the list of subprocessors', () => {
  it('is made of the settings: who is on, what it is sent and where, and what its own page says', async () => {
    const all = await listed(await service.createOrganisation());
    const host = new URL(origin).host;
    expect(
      all.map(({ id, kind, gets_address, switchable, enabled }) => [id, kind, gets_address, switchable, enabled]),
    ).toEqual([
      ['kickbox', 'verification', true, true, true],
      ['enrichment_hunter', 'enrichment', true, true, true],
      ['model', 'model', false, true, true],
      ...all.filter(({ kind }) => kind === 'dns').map(({ id }) => [id, 'dns', false, false, true]),
      ['neon', 'database', false, false, true],
      ['cloudflare', 'platform', true, false, true],
    ]);
    expect(all.find(({ id }) => id === 'kickbox')).toMatchObject({ host, sent: ['the email address'] });
    expect(all.find(({ id }) => id === 'model')?.retention).toEqual({
      says: expect.any(String),
      source: expect.stringMatching(/^https:/),
      read_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(JSON.stringify(all)).not.toContain('"k"');
  });

  it('says of every company but the operator’s own how long it keeps what it gets, with its page and the day, or that none says it', () => {
    const { verification, enrichment, model, resend, resolver, neon, cloudflare } = SUBPROCESSORS;
    const all: Subprocessor[] = [
      ...PROVIDER_IDS.map(verification),
      ...ENRICHMENT_VENDOR_IDS.map(enrichment),
      ...Object.values(model),
      ...['cloudflare-dns.com', 'dns.example'].map(resolver),
      resend,
      neon,
      cloudflare,
    ];
    expect(all.filter(({ retention }) => retention === null).map(({ id }) => id)).toEqual(['reacher']);
    for (const { retention, id } of all) {
      if (retention === null) continue;
      expect(retention.readOn, id).toMatch(/^2026-\d\d-\d\d$/);
      if (retention.source === null) expect(retention.says, id).toBe('No statement of it was found on its own pages.');
      else expect(new URL(retention.source).protocol, id).toBe('https:');
    }
  });
});

describe('a vendor that an account has switched off', () => {
  it('is asked by no request of it, verification, decision, screening or file, and by those of others as before', async () => {
    const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
    for (const of of [mine, other]) await decideBy(of, 'company.country', 'person.seniority', 'screening.domain_check');
    for (const id of ['kickbox', 'enrichment_hunter', 'model'])
      expect((await turn(mine, id, false)).body).toMatchObject({ subprocessor: { id, enabled: false } });
    expect((await listed(mine)).filter(({ enabled }) => !enabled).map(({ id }) => id)).toEqual([
      'kickbox',
      'enrichment_hunter',
      'model',
    ]);
    const use = async (of: Organisation, domain: string) => {
      asked.length = 0;
      await post(of, '/v1/verify', { email: `ada@${domain}`, context: { purpose: 'outbound' } });
      await post(of, '/v1/decide', { email: `bob@${domain}` });
      await post(of, '/v1/screen', { email: `cy@${domain}`, name: 'Xqzt Wvbn' });
      const jobs = bulkCalls(service, of);
      const job = await jobs.ready(`email\ndan@${domain}\n`);
      await jobs.call('POST', `/${job}/start`, {});
      await jobs.run();
      return [...new Set(asked)].sort();
    };
    expect(await use(mine, 'business.test')).toEqual([]);
    const others = await use(other, 'zoho.test');
    expect(others).toEqual(['kickbox', 'model', 'person']);
    await turn(mine, 'kickbox', true);
    expect(await use(mine, 'zoho.test')).toContain('kickbox');
  });

  it('is remembered by a rebuild, and in the audit log', async () => {
    const of = await service.createOrganisation();
    await turn(of, 'kickbox', false);
    await turn(of, 'kickbox', false);
    await service.objectOf(of.id).object.flush(null);
    const { rows } = await service.database.query('select privacy::text from organisation where id = $1', [of.id]);
    expect(JSON.parse(rows[0]?.[0] ?? '')).toEqual({ off: ['kickbox'], retention: {} });
    const lines = service
      .objectOf(of.id)
      .storage.sql.exec<{ action: string; summary: string }>(
        "select action, summary from audit where summary = 'privacy'",
      )
      .toArray();
    expect(lines).toHaveLength(1);
    service.loseObject(of.id);
    await service.call('POST', `/operator/v1/organisations/${of.id}/rebuild`, service.operatorKey);
    expect((await listed(of)).find(({ id }) => id === 'kickbox')?.enabled).toBe(false);
  });

  it.each([
    ['cloudflare', 409],
    ['neon', 409],
    ['nobody', 404],
    ['zerobounce', 200],
  ])('can’t be %s without reason: %i', async (id, status) => {
    expect((await turn(await service.createOrganisation(), id, false)).status).toBe(status);
  });
});

describe('a trace', () => {
  it('names every vendor that was sent the address, for as long as it is kept', async () => {
    const of = await service.createOrganisation();
    const outbound = { purpose: 'outbound' };
    const asking = await post(of, '/v1/verify', { email: 'ada@business.test', context: outbound });
    expect(Object.keys(asking.providers)).toEqual(['kickbox']);
    expect(await sentTo(of, asking.trace_id)).toEqual(['kickbox']);
    const silent = await post(of, '/v1/verify', { email: 'bob@business.test', context: { max_cost_usd: 0 } });
    expect(await sentTo(of, silent.trace_id)).toEqual([]);
    await decideBy(of, 'person.seniority');
    const decided = await post(of, '/v1/decide', { email: 'cy@zoho.test', context: { max_cost_usd: 0.02 } });
    expect(asked).toContain('person');
    expect(await sentTo(of, decided.trace_id)).toContain('enrichment_hunter');
    // A company is asked for by its domain.
    await decideBy(of, 'company.country');
    const byDomain = await post(of, '/v1/decide', { email: 'dan@zoho-eu.test', context: { max_cost_usd: 0.02 } });
    expect(await sentTo(of, byDomain.trace_id)).not.toContain('enrichment_hunter');
    await service.objectOf(of.id).object.flush(null);
    await service.database.query('delete from trace_detail', []);
    expect(await sentTo(of, asking.trace_id)).toEqual(['kickbox']);
  });
});
