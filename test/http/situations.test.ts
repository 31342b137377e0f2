import Papa from 'papaparse';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BulkJob } from '../../src/contract/bulk.ts';
import { Verification } from '../../src/contract/verification.ts';
import type { Purpose } from '../../src/contract/vocabulary.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { mailHostsEntry } from '../support/domain-entry.ts';
import { COMPANY_HOSTS, type Host, isCompany, nameAt, ORDINARY, STRICT } from '../support/ordinary-people.ts';
import { startService } from '../support/service.ts';
import { accountsAt } from '../support/vendors/accounts.ts';
import { startVendorServer } from '../support/vendors/server.ts';
import type { Behaviour } from '../support/vendors/simulator.ts';

/**
 * A product manager's expectations as a table over hosts, purposes and vendors. The test uses the API alone; vendors have
 * their list prices and answer as each row says.
 */

type Word = ProviderVerdict | 'silent';
/** Each vendor's answer about an address. `silent`: the vendor declines the question. */
let words: (provider: ProviderId, email: string) => Word = () => 'silent';

function behaviour(provider: ProviderId, email: string): Behaviour {
  const verdict = words(provider, email);
  if (verdict === 'silent') return { afterMs: 0, fault: 'refusal' };
  const statement = { email, verdict, acceptsAll: verdict === 'catch_all', role: false, consumer: false, variant: 0 };
  return { afterMs: 0, statement };
}

const vendors = await startVendorServer(accountsAt(1), behaviour);
const without = await startService();
const withVendors = await startService(vendors.settings);
/** A service whose resolver never answers. */
const unresolving = await startService({ DOH_URLS: 'http://127.0.0.1:9/dns-query' });
/** One service per vendor: a file with one vendor differs from a file with seven of which six are silent. */
const only = (...ids: readonly ProviderId[]) =>
  startService(
    Object.fromEntries(
      Object.entries(vendors.settings).filter(([name]) => ids.some((id) => name.startsWith(id.toUpperCase()))),
    ),
  );
afterAll(async () => {
  await vendors.stop();
});
type Service = typeof without;
type Organisation = Awaited<ReturnType<Service['createOrganisation']>>;

vi.useFakeTimers({ toFake: ['Date'] });
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
beforeEach(() => {
  words = () => 'silent';
  // What the service remembers of its vendors is of the test before.
  pass(HOUR_MS);
});

const PURPOSES = ['signup', 'outbound', 'list_hygiene'] as const satisfies readonly Purpose[];
const pairs = <A, B>(some: readonly A[], others: readonly B[]): (readonly [A, B])[] =>
  some.flatMap((one) => others.map((other) => [one, other] as const));

const LATE = Date.UTC(2100, 0, 1);
let numbers = 0;
/** A new domain at this host. */
function domainAt(service: Service, host: Host): string {
  if (!isCompany(host)) return host;
  numbers += 1;
  const label = `hallberg-industrie${numbers}`;
  const domain = `${label}.de`;
  const hosts = COMPANY_HOSTS[host].map((name) => name.replace('%', label));
  service.facts.set(...mailHostsEntry(domain, { kind: 'found', hosts, implicit: false }, LATE));
  return domain;
}

/** An ordinary person, verified without any vendor. */
function personAt(domain: string): string {
  numbers += 1;
  return `${nameAt(numbers)}@${domain}`;
}

const post = async (service: Service, org: Organisation, path: string, body: object) => {
  const answer = await service.call('POST', path, org.keys.member, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  await service.settle();
  return answer.body;
};
const verify = async (
  service: Service,
  org: Organisation,
  email: string,
  context: object = {},
): Promise<Verification> => Verification.parse(await post(service, org, '/v1/verify', { email, context }));
/** A stranger at the same host, for the same purpose, verified by an account without history. */
const stranger = async (service: Service, host: Host, context: object): Promise<Verification> => {
  words = () => 'silent';
  return verify(service, await service.createOrganisation(), personAt(domainAt(service, host)), {
    ...context,
    max_cost_usd: 0,
  });
};
const asked = ({ providers, cost_usd }: Verification) => [Object.keys(providers).length, cost_usd];
const NOBODY = [0, 0];

describe('an ordinary person; no vendor, no history', () => {
  it.each(pairs(ORDINARY, [undefined, 'signup', 'outbound'] as const))(
    'at %s, purpose %s: likely_valid, send',
    async (host, purpose) => {
      const org = await without.createOrganisation();
      const answer = await verify(without, org, personAt(domainAt(without, host)), purpose && { purpose });
      expect(answer).toMatchObject({ verdict: 'likely_valid', recommendation: 'send' });
    },
  );

  it.each(ORDINARY)('at %s, list_hygiene: risky, hold', async (host) => {
    const org = await without.createOrganisation();
    const answer = await verify(without, org, personAt(domainAt(without, host)), { purpose: 'list_hygiene' });
    expect(answer).toMatchObject({ verdict: 'risky', recommendation: 'hold' });
  });

  it('outbound, where the account’s list is known to be clean: send', async () => {
    const org = await without.createOrganisation();
    await mailed(
      org,
      Array.from({ length: 60 }, () => domainAt(without, 'a company at Workspace')),
      { outcome: 'delivered' },
    );
    for (const host of ['a company at Workspace', 'gmail.com'] as const) {
      const answer = await verify(without, org, personAt(domainAt(without, host)), { purpose: 'outbound' });
      expect(answer.recommendation, host).toBe('send');
    }
  });
});

/** Verifies a person at each of the domains for outbound, then reports the same of all. */
async function mailed(org: Organisation, domains: readonly string[], outcome: object): Promise<void> {
  const traces: string[] = [];
  for (const domain of domains)
    traces.push((await verify(without, org, personAt(domain), { purpose: 'outbound' })).trace_id);
  await post(without, org, '/v1/outcome', { outcomes: traces.map((trace_id) => ({ trace_id, ...outcome })) });
  // A batch reaches the history after its answer.
  pass(MINUTE_MS);
  await without.runJobs(org.id);
}

const HOW: Readonly<Record<(typeof PURPOSES)[number], string>> = {
  signup: 'challenge',
  outbound: 'drop',
  list_hygiene: 'drop',
};

describe('a vendor refuses', () => {
  it.each(pairs(STRICT, PURPOSES))('alone at %s, %s: p ≥ .5, and no send', async (host, purpose) => {
    words = (provider) => (provider === 'kickbox' ? 'undeliverable' : 'silent');
    const org = await withVendors.createOrganisation();
    const answer = await verify(withVendors, org, personAt(domainAt(withVendors, host)), { purpose });
    expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.5);
    expect(answer.recommendation).toBe(HOW[purpose]);
    expect(answer.verdict).toMatch(/^(likely_)?invalid$/);
  });

  it.each(PROVIDER_IDS)('alone, whichever it is: %s', async (id) => {
    words = (provider) => (provider === id ? 'undeliverable' : 'silent');
    const org = await withVendors.createOrganisation();
    const email = personAt(domainAt(withVendors, 'a company at Workspace'));
    const answer = await verify(withVendors, org, email, { purpose: 'signup' });
    expect(Object.keys(answer.providers)).toEqual([id]);
    expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.5);
    expect(answer.recommendation).toBe('challenge');
  });

  it.each(pairs(STRICT, PURPOSES))('and a second one at %s, %s: p ≥ .9, invalid, drop', async (host, purpose) => {
    const org = await withVendors.createOrganisation();
    const email = personAt(domainAt(withVendors, host));
    // The vendors are asked one at a time for a signup; the row's purpose then finds both answers in the history.
    for (const id of ['kickbox', 'zerobounce'] as const) {
      words = (provider) => (provider === id ? 'undeliverable' : 'silent');
      const { providers } = await verify(withVendors, org, email, { purpose: 'signup' });
      expect(Object.keys(providers)).toEqual([id]);
    }
    const answer = await verify(withVendors, org, email, { purpose, max_cost_usd: 0 });
    expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.9);
    expect(answer).toMatchObject({ verdict: 'invalid', recommendation: 'drop' });
  });

  it('and a second one: the default policy denies', async () => {
    words = () => 'undeliverable';
    const org = await withVendors.createOrganisation();
    const email = personAt(domainAt(withVendors, 'a company at Workspace'));
    const decided = await post(withVendors, org, '/v1/decide', { email });
    expect(decided).toMatchObject({ decision: 'deny', verification: { recommendation: 'drop' } });
  });
});

/** Whether the mailbox is gone, by its local part. */
const isDead = (email: string): boolean => email.startsWith('gone.');

interface Row {
  readonly email: string;
  readonly svc_verdict: string;
  readonly svc_recommendation: string;
  readonly svc_catch_all: string;
  readonly svc_basis: string;
  readonly svc_warning: string;
}

/** Runs a file of this many rows at strict hosts, with this share dead. */
async function file(
  service: Service,
  rows: number,
  deadShare: number,
  order: (rows: readonly string[]) => readonly string[] = (all) => all,
) {
  const org = await service.createOrganisation();
  const { ready, start, run, download, call } = bulkCalls(service, org);
  const hosts: readonly Host[] = ['a company at Workspace', 'a company with its own servers', 'gmail.com'];
  const emails = Array.from({ length: rows }, (_, i) => {
    const email = personAt(domainAt(service, hosts[i % hosts.length] as Host));
    // Dead rows are evenly spread.
    return Math.floor((i + 1) * deadShare) > Math.floor(i * deadShare) ? `gone.${email}` : email;
  });
  const id = await ready(['email', ...order(emails), ''].join('\n'), {});
  const { body: estimate } = await call('GET', `/${id}/estimate`);
  await start(id);
  const jobNow = async (): Promise<BulkJob> => (await call('GET', `/${id}`)).body.job as BulkJob;
  for (let job = await jobNow(); job.state === 'running'; job = await jobNow()) await run();
  const text = await (await download(id)).text();
  const { data } = Papa.parse<Row>(text, { header: true, skipEmptyLines: true });
  const share = (some: readonly Row[], ...actions: readonly string[]): number =>
    some.filter(({ svc_recommendation }) => actions.includes(svc_recommendation)).length / some.length;
  const [dead, live] = [data.filter(({ email }) => isDead(email)), data.filter(({ email }) => !isDead(email))];
  return { job: await jobNow(), estimate, data, dead, live, share };
}

/** Each vendor refuses every hundredth live mailbox; no two vendors refuse the same one. */
const refusesOne = (provider: ProviderId, email: string): boolean =>
  [...`${provider} ${email}`].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 10_007, 7) % 100 === 0;

describe('a file', () => {
  const orders = {
    mixed: (rows: readonly string[]) => rows,
    'dead first': (rows: readonly string[]) => rows.toSorted((a, b) => Number(isDead(b)) - Number(isDead(a))),
    'dead last': (rows: readonly string[]) => rows.toSorted((a, b) => Number(isDead(a)) - Number(isDead(b))),
  };
  const dirty: readonly (readonly [ProviderId, number, keyof typeof orders])[] = [
    ...[0.05, 0.12, 0.25, 0.4, 0.6].map((dead) => ['kickbox', dead, 'mixed'] as const),
    ...[0.25, 0.6].flatMap((dead) =>
      (['dead first', 'dead last'] as const).map((order) => ['kickbox', dead, order] as const),
    ),
    ...PROVIDER_IDS.filter((id) => id !== 'kickbox').map((id) => [id, 0.25, 'mixed'] as const),
  ];
  it.each(dirty)(
    '%s alone, %d dead, %s: every row is asked, the dead drop, the others send',
    async (id, dead, order) => {
      const service = await only(id);
      words = (provider, email) => (isDead(email) || refusesOne(provider, email) ? 'undeliverable' : 'deliverable');
      const { data } = await file(service, 600, dead, orders[order]);
      const unsettled = id === 'hunter' ? data.filter(({ email }) => !email.endsWith('@gmail.com')) : data;
      const wasAsked = unsettled.filter(({ svc_basis }) => svc_basis === 'provider');
      expect(wasAsked.length / unsettled.length).toBeGreaterThanOrEqual(0.97);
      const share = (refused: boolean, action: string): number => {
        const rows = wasAsked.filter(({ email }) => refused === (isDead(email) || refusesOne(id, email)));
        return rows.filter(({ svc_recommendation }) => svc_recommendation === action).length / rows.length;
      };
      expect(share(true, 'drop')).toBeGreaterThanOrEqual(0.95);
      expect(share(false, 'send')).toBeGreaterThanOrEqual(dead === 0.6 ? 0.88 : 0.95);
    },
  );

  it('without a vendor: risky, hold, and not checked apart from checked', async () => {
    const { data, estimate } = await file(without, 30, 0.1);
    for (const row of data) {
      expect(row).toMatchObject({ svc_verdict: 'risky', svc_recommendation: 'hold', svc_basis: 'local' });
    }
    expect(estimate.not_asked).toMatchObject({ no_provider: 30 });
  });

  it('with 2 % dead and one vendor: its dead rows are dropped or held, as likely_invalid', async () => {
    const service = await only('kickbox');
    words = (provider, email) => (isDead(email) || refusesOne(provider, email) ? 'undeliverable' : 'deliverable');
    const { dead, live, share } = await file(service, 300, 0.02);
    expect(share(dead, 'drop', 'hold')).toBe(1);
    for (const row of dead) expect(row.svc_verdict).toMatch(/^(likely_)?invalid$/);
    expect(share(live, 'send')).toBeGreaterThanOrEqual(0.9);
  });

  it('with 2 % dead and a second vendor: 90 % of its dead rows drop, 90 % of the others send', async () => {
    const service = await only('kickbox', 'bouncer');
    words = (provider, email) => (isDead(email) || refusesOne(provider, email) ? 'undeliverable' : 'deliverable');
    const { dead, live, share } = await file(service, 300, 0.02);
    expect(share(dead, 'drop')).toBeGreaterThanOrEqual(0.9);
    expect(share(live, 'send')).toBeGreaterThanOrEqual(0.9);
  });

  it('with seven vendors, some of whose answers say nothing: unknown appears nowhere', async () => {
    words = (provider, email) =>
      provider === 'hunter'
        ? 'unknown'
        : isDead(email) || refusesOne(provider, email)
          ? 'undeliverable'
          : 'deliverable';
    const { job, data } = await file(withVendors, 120, 0.17);
    expect(job.counts.unknown).toBeUndefined();
    expect(data.some(({ svc_verdict }) => svc_verdict === 'unknown')).toBe(false);
  });

  it('shows catch-all rows apart, and sends them no more easily than strangers', async () => {
    words = () => 'catch_all';
    const service = await only('kickbox');
    const { data } = await file(service, 30, 0.02);
    for (const row of data) expect(row.svc_catch_all).toBe('true');
    expect(data.some(({ svc_recommendation }) => svc_recommendation === 'drop')).toBe(false);
  });
});

/** Verifies an address, reports its outcome, and returns the later answer. */
async function after(
  host: Host,
  outcome: object | null,
  laterMs: number,
  purpose: Purpose,
): Promise<{ readonly before: Verification; readonly answer: Verification }> {
  words = () => 'silent';
  const org = await withVendors.createOrganisation();
  const email = personAt(domainAt(withVendors, host));
  const before = await verify(withVendors, org, email, { purpose, max_cost_usd: 0 });
  if (outcome !== null) await post(withVendors, org, '/v1/outcome', { trace_id: before.trace_id, ...outcome });
  pass(laterMs);
  words = () => 'deliverable';
  return { before, answer: await verify(withVendors, org, email, { purpose }) };
}

const UNKNOWN_USER = { outcome: 'hard_bounce', smtp_code: '550 5.1.1 user unknown' };
const BLOCKED = { outcome: 'hard_bounce', smtp_code: '550 5.7.1 message refused by policy' };
const PAST_HOSTS = ['gmail.com', 'a company at Workspace', 'a company with its own servers'] as const;

describe('the account’s own report', () => {
  it.each(pairs(PAST_HOSTS, PURPOSES))(
    '5.1.1 yesterday, %s, %s: p ≥ .9, invalid, drop, nobody asked',
    async (host, purpose) => {
      const { answer } = await after(host, UNKNOWN_USER, DAY_MS, purpose);
      expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.9);
      expect(answer).toMatchObject({ verdict: 'invalid', recommendation: 'drop' });
      expect(asked(answer)).toEqual(NOBODY);
    },
  );

  it.each(pairs(PAST_HOSTS, PURPOSES))('5.1.1 90 days ago, %s, %s: p ≥ .85', async (host, purpose) => {
    const { answer } = await after(host, UNKNOWN_USER, 90 * DAY_MS, purpose);
    const { bounce_probability: p } =
      Object.keys(answer.providers).length === 0 ? answer : await unasked(host, UNKNOWN_USER, purpose);
    expect(p).toBeGreaterThanOrEqual(0.85);
  });

  it.each(pairs(PAST_HOSTS, PURPOSES))(
    'delivered just now, %s, %s: p ≤ .02, valid, send, nobody asked',
    async (host, purpose) => {
      const { answer } = await after(host, { outcome: 'delivered' }, 0, purpose);
      expect(answer.bounce_probability).toBeLessThanOrEqual(0.02);
      expect(answer).toMatchObject({ verdict: 'valid', recommendation: 'send' });
      expect(asked(answer)).toEqual(NOBODY);
    },
  );

  it.each(pairs(PAST_HOSTS, PURPOSES))('delivered 90 days ago, %s, %s: p ≤ .07', async (host, purpose) => {
    const { answer } = await after(host, { outcome: 'delivered' }, 90 * DAY_MS, purpose);
    expect(answer.bounce_probability).toBeLessThanOrEqual(0.07);
  });

  it.each(PAST_HOSTS)('5.7.1 at %s: as before it, within .02', async (host) => {
    const org = await withVendors.createOrganisation();
    const email = personAt(domainAt(withVendors, host));
    const context = { purpose: 'outbound', max_cost_usd: 0 };
    const before = await verify(withVendors, org, email, context);
    await post(withVendors, org, '/v1/outcome', { trace_id: before.trace_id, ...BLOCKED });
    const later = await verify(withVendors, org, email, context);
    expect(Math.abs(later.bounce_probability - before.bounce_probability)).toBeLessThanOrEqual(0.02);
  });
});

/** The same without a vendor's answer: a second opinion may change it. */
async function unasked(host: Host, outcome: object, purpose: Purpose): Promise<Verification> {
  const org = await without.createOrganisation();
  const email = personAt(domainAt(without, host));
  const { trace_id } = await verify(without, org, email, { purpose });
  await post(without, org, '/v1/outcome', { trace_id, ...outcome });
  pass(90 * DAY_MS);
  return verify(without, org, email, { purpose });
}

describe('an account with 40 earlier deliveries; a company at Workspace, outbound', () => {
  async function neighbours(count: number, outcome: object) {
    const org = await without.createOrganisation();
    const forty = Array.from({ length: 40 }, () => domainAt(without, 'a company at Workspace'));
    await mailed(org, forty, { outcome: 'delivered' });
    const elsewhere = await verify(without, org, personAt(domainAt(without, 'a company at Workspace')), {
      purpose: 'outbound',
    });
    const domain = domainAt(without, 'a company at Workspace');
    await mailed(org, Array<string>(count).fill(domain), outcome);
    return { elsewhere, answer: await verify(without, org, personAt(domain), { purpose: 'outbound' }) };
  }

  it('8 of 8 bounced elsewhere at the domain: three times a stranger’s at least, and no drop by that alone', async () => {
    const { elsewhere, answer } = await neighbours(8, UNKNOWN_USER);
    expect(answer.bounce_probability).toBeGreaterThanOrEqual(3 * elsewhere.bounce_probability);
    expect(answer.recommendation).not.toBe('drop');
  });

  it('12 of 12 delivered there: .8 times a stranger’s at most', async () => {
    const { elsewhere, answer } = await neighbours(12, { outcome: 'delivered' });
    expect(answer.bounce_probability).toBeLessThanOrEqual(0.8 * elsewhere.bounce_probability);
  });
});

describe('the address itself', () => {
  it.each(pairs(['gmail.co', 'yahoo.cm'], PURPOSES))(
    'at a typo of a large provider’s domain, %s, %s: p ≥ .3, and did_you_mean',
    async (domain, purpose) => {
      const mailHosts = { kind: 'found', hosts: ['mx.somebody.example'], implicit: false } as const;
      without.facts.set(...mailHostsEntry(domain, mailHosts, LATE));
      const answer = await verify(without, await without.createOrganisation(), personAt(domain), { purpose });
      expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.3);
      expect(answer.did_you_mean).toMatch(/@(gmail|yahoo)\.com$/);
    },
  );

  it.each(pairs(['maria_keller@gmail.com', 'mk@gmail.com', 'ke!ler@outlook.com'], PURPOSES))(
    '%s, which its provider never gave out to anybody, %s: p ≥ .8',
    async (email, purpose) => {
      const answer = await verify(without, await without.createOrganisation(), email, { purpose });
      expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.8);
    },
  );

  it.each(['asdf@gmail.com', 'test@gmail.com', 'abc@gmail.com', 'ada@gmail.com'])(
    '%s, shorter than its provider gives out: p ≥ .4, challenge, never drop',
    async (email) => {
      const org = await without.createOrganisation();
      const answer = await verify(without, org, email, { purpose: 'signup' });
      expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.4);
      expect(answer.recommendation).toBe('challenge');
      for (const purpose of ['outbound', 'list_hygiene'] as const)
        expect((await verify(without, org, email, { purpose })).recommendation).toBe('hold');
    },
  );

  it('jane.doe@gmail.com, a placeholder: challenge, whatever a vendor says of it', async () => {
    const org = await withVendors.createOrganisation();
    for (const said of ['silent', 'deliverable'] as const) {
      words = () => said;
      const answer = await verify(withVendors, org, 'jane.doe@gmail.com', { purpose: 'signup' });
      expect(answer.recommendation).toBe('challenge');
    }
  });

  it.each([
    ['signup', 'challenge'],
    ['list_hygiene', 'hold'],
  ] as const)('a parked typo (gmial.com), %s: likely_invalid or invalid, %s', async (purpose, recommendation) => {
    const hosts = ['park-mx.above.com'];
    without.facts.set(...mailHostsEntry('gmial.com', { kind: 'found', hosts, implicit: false }, LATE));
    const answer = await verify(without, await without.createOrganisation(), personAt('gmial.com'), { purpose });
    expect(answer.verdict, JSON.stringify(answer)).toMatch(/invalid$/);
    expect(answer.recommendation).toBe(recommendation);
  });

  it.each([
    ['ada@gmailcom', 'ada@gmail.com'],
    ['jane..roe@acme.com', undefined],
    ['jane@acme..com', undefined],
  ])('%s in decide: deny, with the correction where there is one', async (email, meant) => {
    const org = await without.createOrganisation();
    const decided = await post(without, org, '/v1/decide', { email });
    expect(decided).toMatchObject({ decision: 'deny', verification: { recommendation: 'drop' } });
    expect((decided as { verification: Verification }).verification.did_you_mean).toBe(meant);
  });
});

describe('a catch-all', () => {
  it.each(
    pairs(
      ['a company at Workspace', 'a company with its own servers', 'a company at Microsoft 365'] as const,
      PURPOSES,
    ),
  )('found at %s, %s: at least .95 times a stranger’s, and less sure', async (host, purpose) => {
    const unknown = await stranger(withVendors, host, { purpose });
    words = (provider) => (provider === 'kickbox' ? 'catch_all' : 'silent');
    const org = await withVendors.createOrganisation();
    const email = personAt(domainAt(withVendors, host));
    await verify(withVendors, org, email, { purpose: 'signup' });
    const answer = await verify(withVendors, org, email, { purpose, max_cost_usd: 0 });
    expect(answer.signals.catch_all).toBe(true);
    expect(answer.bounce_probability).toBeGreaterThanOrEqual(0.95 * unknown.bounce_probability);
    const width = ({ confidence_interval: [low, high] }: Verification) => high - low;
    expect(width(answer)).toBeGreaterThan(width(unknown));
  });
});

describe('time', () => {
  const TOLERANCE = 0.1;

  it.each(PAST_HOSTS)('an address at %s seen 300 days ago and never since: not above a stranger’s', async (host) => {
    words = () => 'deliverable';
    const org = await withVendors.createOrganisation();
    const email = personAt(domainAt(withVendors, host));
    await verify(withVendors, org, email, { purpose: 'signup' });
    pass(300 * DAY_MS);
    const { bounce_probability } = await verify(withVendors, org, email, { purpose: 'signup', max_cost_usd: 0 });
    const unknown = await stranger(withVendors, host, { purpose: 'signup' });
    // Consumers keep their mailboxes, so an old answer still tells a little there.
    const least = isCompany(host) ? 1 - TOLERANCE : 0.5;
    expect(bounce_probability / unknown.bounce_probability).toBeGreaterThan(least);
    expect(bounce_probability / unknown.bounce_probability).toBeLessThanOrEqual(1);
  });

  it.each(PAST_HOSTS)('an address at %s looked at daily: as a stranger’s', async (host) => {
    const org = await without.createOrganisation();
    const email = personAt(domainAt(without, host));
    const first = await verify(without, org, email, { purpose: 'signup' });
    for (let day = 0; day < 30; day += 1) {
      pass(DAY_MS);
      await verify(without, org, email, { purpose: 'signup' });
    }
    const { bounce_probability } = await verify(without, org, email, { purpose: 'signup' });
    expect(bounce_probability).toBeCloseTo(first.bounce_probability, 3);
  });
});

describe('a visitor who invents local parts', () => {
  it.each(['a company at Workspace', 'a company with its own servers'] as const)(
    'four at %s: its next real employee is sent to or challenged',
    async (host) => {
      const org = await withVendors.createOrganisation();
      const domain = domainAt(withVendors, host);
      words = () => 'undeliverable';
      for (const local of ['xkqzvwjpfgh', 'qwrtzplmk', 'zzxxccvvbb', 'plokmijnuh'])
        await verify(withVendors, org, `${local}@${domain}`, { purpose: 'signup' });
      for (const said of ['silent', 'deliverable'] as const) {
        words = () => said;
        const answer = await verify(withVendors, org, personAt(domain), { purpose: 'signup' });
        expect(['send', 'challenge']).toContain(answer.recommendation);
      }
    },
  );
});

describe('the resolver is away', () => {
  it.each(PURPOSES)('%s: verdict unknown, p not below any business row’s, never drop', async (purpose) => {
    const org = await unresolving.createOrganisation();
    const answer = await verify(unresolving, org, personAt('hallberg-industrie.de'), { purpose });
    expect(answer).toMatchObject({ reason: 'mx_unresolved', verdict: 'unknown', signals: { mx: null } });
    for (const host of ORDINARY.filter(isCompany)) {
      const unknown = await stranger(without, host, { purpose });
      expect(answer.bounce_probability, host).toBeGreaterThanOrEqual(unknown.bounce_probability);
    }
    expect(answer.recommendation).toBe(purpose === 'signup' ? 'send' : 'hold');
  });
});

describe('one refusal', () => {
  it.each(pairs(STRICT, PURPOSES))(
    'and then a vendor without an answer, at %s, %s: p falls by at most .1',
    async (host, purpose) => {
      const org = await withVendors.createOrganisation();
      const email = personAt(domainAt(withVendors, host));
      words = (provider) => (provider === 'kickbox' ? 'undeliverable' : 'silent');
      const first = await verify(withVendors, org, email, { purpose });
      pass(3 * DAY_MS);
      words = (provider) => (provider === 'kickbox' ? 'silent' : 'unknown');
      const later = await verify(withVendors, org, email, { purpose });
      expect(later.bounce_probability).toBeGreaterThanOrEqual(first.bounce_probability - 0.1);
    },
  );
});

describe('an account that reports bounces alone; twelve people of one employer bounce over a month', () => {
  const most = { signup: 0.15, outbound: 0.45, list_hygiene: 0.6 } as const;
  it.each(PURPOSES)('a colleague, %s: never drop; a deliverable or a delivery of their own counts', async (purpose) => {
    const org = await withVendors.createOrganisation();
    const domain = domainAt(withVendors, 'a company at Workspace');
    for (let person = 0; person < 12; person += 1) {
      const { trace_id } = await verify(withVendors, org, personAt(domain), { purpose, max_cost_usd: 0 });
      await post(withVendors, org, '/v1/outcome', { trace_id, ...UNKNOWN_USER });
      pass(2.5 * DAY_MS);
    }
    const free = { purpose, max_cost_usd: 0 };
    const colleague = await verify(withVendors, org, personAt(domain), free);
    expect(colleague.bounce_probability).toBeLessThanOrEqual(most[purpose]);
    expect(colleague.recommendation).not.toBe('drop');

    words = (provider) => (provider === 'kickbox' ? 'deliverable' : 'silent');
    const checked = await verify(withVendors, org, personAt(domain), { purpose });
    expect(checked.providers).toHaveProperty('kickbox');
    expect(checked.bounce_probability).toBeLessThanOrEqual(0.1);

    const email = personAt(domain);
    const { trace_id } = await verify(withVendors, org, email, free);
    await post(withVendors, org, '/v1/outcome', { trace_id, outcome: 'delivered' });
    expect((await verify(withVendors, org, email, free)).bounce_probability).toBeLessThanOrEqual(0.02);
  });
});

describe('false refusals, and old deliveries', () => {
  const most = { signup: 0.3, outbound: 0.3, list_hygiene: 0.4 } as const;
  it.each(pairs(PAST_HOSTS, PURPOSES))(
    'two 5.1.1 within an hour at %s, %s: gone after a delivery, and after another two days later',
    async (host, purpose) => {
      const org = await without.createOrganisation();
      const email = personAt(domainAt(without, host));
      const context = { purpose, max_cost_usd: 0 };
      const report = async (outcome: object): Promise<void> => {
        const { trace_id } = await verify(without, org, email, context);
        await post(without, org, '/v1/outcome', { trace_id, ...outcome });
      };
      await report(UNKNOWN_USER);
      pass(HOUR_MS / 2);
      await report(UNKNOWN_USER);
      pass(DAY_MS);
      await report({ outcome: 'delivered' });
      expect((await verify(without, org, email, context)).bounce_probability).toBeLessThanOrEqual(most[purpose]);
      pass(2 * DAY_MS);
      await report({ outcome: 'delivered' });
      expect((await verify(without, org, email, context)).bounce_probability).toBeLessThanOrEqual(0.05);
    },
  );

  it.each(PAST_HOSTS)(
    'delivered 365 days ago at %s: a signup is not above a stranger’s, outbound ≤ .25',
    async (host) => {
      const org = await without.createOrganisation();
      const email = personAt(domainAt(without, host));
      const { trace_id } = await verify(without, org, email, { purpose: 'signup' });
      await post(without, org, '/v1/outcome', { trace_id, outcome: 'delivered' });
      await post(without, org, '/v1/events', { trace_id, event: 'subscribed', at: Math.floor(Date.now() / 1000) });
      pass(365 * DAY_MS);
      const unknown = await stranger(without, host, { purpose: 'signup' });
      const signup = await verify(without, org, email, { purpose: 'signup' });
      expect(signup.bounce_probability).toBeLessThanOrEqual(unknown.bounce_probability);
      const outbound = await verify(without, org, email, { purpose: 'outbound' });
      expect(outbound.bounce_probability).toBeLessThanOrEqual(0.25);
    },
  );
});
