import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { CheckResult, Verification } from '../../src/contract/verification.ts';
import { DecisionResult } from '../../src/contract/decision.ts';
import { TraceResponse } from '../../src/contract/traces.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { captureLog } from '../support/capture-log.ts';
import { mailHostsEntry } from '../support/domain-entry.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';

const service = await startService();

/** Typos that somebody has registered, and so receives their mail. */
const REGISTERED = { kind: 'found', hosts: ['mx.parked.example'], implicit: false } as const;
const FAMILY = { kind: 'found', hosts: ['mx.webb.example'], implicit: false } as const;
const NOT_REGISTERED = { kind: 'none', why: 'nxdomain' } as const;
const CONSUMER = { kind: 'found', hosts: ['outlook-no.olc.protection.outlook.com'], implicit: false } as const;
const MAIL = {
  'outlook.no': CONSUMER,
  'ymail.ne.jp': REGISTERED,
  'gmail.co': REGISTERED,
  'yahoo.cm': REGISTERED,
  'gamil.com': NOT_REGISTERED,
  'webb.de': FAMILY,
};
for (const [domain, mailHosts] of Object.entries(MAIL)) service.facts.set(...mailHostsEntry(domain, mailHosts));

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const mine = await service.createOrganisation();

async function post(path: string, body: object, { keys }: Organisation = mine, headers: Record<string, string> = {}) {
  const answer = await service.call('POST', path, keys.member, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await service.settle();
  return answer.body;
}

const check = async (email: string, of?: Organisation) =>
  CheckResult.strict().parse(await post('/v1/check', { email }, of));
const verify = async (email: string, of?: Organisation, headers?: Record<string, string>) =>
  Verification.strict().parse(await post('/v1/verify', { email }, of, headers));
const decide = async (
  body: { email: string; name?: string; explain?: true },
  of?: Organisation,
  headers?: Record<string, string>,
) => DecisionResult.strict().parse(await post('/v1/decide', body, of, headers));
const traceOf = async (id: string, { keys }: Organisation = mine) =>
  TraceResponse.parse((await service.call('GET', `/v1/traces/${id}`, keys.viewer)).body).trace;

describe('what stands around an address', () => {
  it.each([
    ['a link', 'mailto:ada@business.test', 'ada@business.test'],
    ['curly quotes', '“ada@business.test”', 'ada@business.test'],
    ['angle brackets and a comma', '<ada@business.test>,', 'ada@business.test'],
    ['the end of a sentence or of a link', 'ada@business.test?!/', 'ada@business.test'],
    ['an invisible character within', 'ada@busi\u00ADness.test', 'ada@business.test'],
    ['quotes, and a typo', "'grace@gamil.com'", 'grace@gmail.com'],
  ])('is a fault, and left out of the correction: %s', async (_, email, meant) => {
    const expected = { email, did_you_mean: meant, email_type: 'unknown', reason: 'syntax_invalid' };
    expect(await check(email)).toMatchObject(expected);
    expect(await verify(email)).toMatchObject(expected);
    expect((await decide({ email })).verification).toMatchObject(expected);
  });

  it('is left out without a word where nobody can see it', async () => {
    const email = '\u200Bada@business.test\u202C ';
    const answer = await check(email);
    expect(answer).toMatchObject({ email, domain: 'business.test', passes: true });
    expect(answer).not.toHaveProperty('did_you_mean');
  });
});

describe('a typo of a well-known domain', () => {
  it.each([
    ['without mail', 'Grace.Hopper+1@gamil.com', 'Grace.Hopper+1@gmail.com', 'unknown'],
    ['with somebody’s mail hosts', 'grace@gmail.co', 'grace@gmail.com', 'unknown'],
    ['in the ending', 'grace@yahoo.cm', 'grace@yahoo.com', 'unknown'],
    ['of a company', 'grace@siemens.cmo', 'grace@siemens.com', 'unknown'],
    ['of a role', 'info@yahoo.cm', 'info@yahoo.com', 'unknown'],
    ['that breaks the syntax', 'grace@gmailcom', 'grace@gmail.com', 'unknown'],
  ])('%s is corrected by check, verify and decide alike, and is not business', async (_, email, meant, type) => {
    const expected = { email, did_you_mean: meant, email_type: type };
    expect(await check(email)).toMatchObject(expected);
    expect(await verify(email)).toMatchObject(expected);
    expect((await decide({ email })).verification).toMatchObject(expected);
  });

  it.each([
    ['the provider itself', 'ada@gmail.com'],
    ['a business', 'ada@business.test'],
    ['a business whose ending would be another', 'ada@brightfoundry.con'],
    ['the same where a typo breaks the syntax', 'ada@brightfoundry,com'],
    ['a national domain of a large provider', 'yamada.taro@ymail.ne.jp'],
    ['a domain whose mail a consumer provider takes', 'ada@outlook.no'],
    ['no address at all', 'ada'],
    ['broken syntax at the provider itself', 'a..da@gmail.com'],
  ])('is not: %s', async (_, email) => {
    expect(await check(email)).not.toHaveProperty('did_you_mean');
    expect(await verify(email)).not.toHaveProperty('did_you_mean');
    expect((await decide({ email })).verification).not.toHaveProperty('did_you_mean');
  });

  it.each([
    ['its domain', { domains: ['gmail.co'] }, '/v1/domains/allowlist'],
    ['the address', { emails: ['ada@gmail.co'] }, '/v1/addresses/allowlist'],
  ])('is an address like any other where the account allows %s', async (_, body, path) => {
    const organisation = await service.createOrganisation();
    await post(path, body, organisation);
    for (const answer of [await check('ada@gmail.co', organisation), await verify('ada@gmail.co', organisation)]) {
      expect(answer).not.toHaveProperty('did_you_mean');
      expect(answer.email_type).toBe('business');
    }
  });
});

describe('the policy that organisations begin with', () => {
  it.each([
    ['challenges a typo that gets mail', 'ada@gmail.co', 'challenge', 'typo'],
    ['denies one that gets none', 'ada@gamil.com', 'deny', 'blocked'],
    ['lets the provider itself in', 'ada.byron@gmail.com', 'allow', 'free'],
  ])('%s', async (_, email, decision, rule_id) => {
    expect(await decide({ email })).toMatchObject({ decision, rule_id });
  });

  it.each([
    ['domain', { domains: ['gmail.co'] }, '/v1/domains/blocklist'],
    ['address', { emails: ['ada@gmail.co'] }, '/v1/addresses/blocklist'],
  ])('denies a typo whose %s the account has blocked', async (_, body, path) => {
    const organisation = await service.createOrganisation();
    await post(path, body, organisation);
    const answer = await decide({ email: 'ada@gmail.co' }, organisation);
    expect(answer).toMatchObject({ decision: 'deny', rule_id: 'blocked' });
    expect(answer.verification.did_you_mean).toBe('ada@gmail.com');
  });
});

describe('a domain one letter from a provider’s', () => {
  it.each([
    ['the person’s own surname', { email: 'jane@webb.de', name: 'Jane Webb' }, undefined],
    ['somebody else’s name', { email: 'jane@webb.de', name: 'Jane Doe' }, 'jane@web.de'],
    ['of nobody known', { email: 'jane@webb.de' }, 'jane@web.de'],
    ['a surname’s, without mail', { email: 'bo@gamil.com', name: 'Bo Gamil' }, 'bo@gmail.com'],
  ])('is decided about as screening sees it: %s', async (_, body, meant) => {
    const policy = {
      name: 'Typos',
      rules: [
        { id: 'typo', when: { path: 'verification.did_you_mean', op: 'exists', value: true }, decision: 'challenge' },
        { id: 'review', when: { path: 'screening.recommendation', op: 'eq', value: 'review' }, decision: 'review' },
      ],
      default: 'allow',
    };
    const organisation = await service.createOrganisation();
    expect((await service.call('PUT', '/v1/policies/default', organisation.keys.admin, policy)).status).toBe(200);
    const { decision, verification } = await decide(body, organisation);
    expect([decision, verification.did_you_mean]).toEqual([meant === undefined ? 'allow' : 'challenge', meant]);
    const { screening } = await post('/v1/screen', body, organisation);
    expect(screening.reasons.includes('typo_domain')).toBe(meant !== undefined);
  });
});

describe('the trace of a typo', () => {
  it('shows the correction masked; the logs and every store lack it', async () => {
    const logged = captureLog();
    const organisation = await service.createOrganisation();
    const email = 'Katherine.Johnson@gmail.co';
    const key = (name: string) => ({ 'idempotency-key': name });
    const verified = await verify(email, organisation, key('v'));
    const decided = await decide({ email, explain: true }, organisation, key('d'));
    expect(verified.did_you_mean).toBe('Katherine.Johnson@gmail.com');
    const unwritten = await findInStores(service, ['katherine', 'johnson']);
    for (const id of [verified.trace_id, decided.trace_id]) {
      const masked = { display: 'k•••@gmail.co', did_you_mean: 'k•••@gmail.com' };
      expect(await traceOf(id, organisation)).toMatchObject(masked);
    }
    expect([...unwritten, ...(await findInStores(service, ['katherine', 'johnson']))]).toEqual([]);
    expect(logged.filter((line) => /katherine|johnson/i.test(line))).toEqual([]);
  });

  it('says for broken syntax that there was a correction, and not which', async () => {
    const { did_you_mean, trace_id } = await verify('ada@gmailcom');
    expect(did_you_mean).toBe('ada@gmail.com');
    expect(await traceOf(trace_id)).toMatchObject({ display: '•••', did_you_mean: '•••' });
  });

  it('has the corrected address where the mark around it is allowed syntax', async () => {
    const { did_you_mean, trace_id } = await verify("'ada@business.test");
    expect(did_you_mean).toBe('ada@business.test');
    expect(await traceOf(trace_id)).toMatchObject({ did_you_mean: expect.stringContaining('@business.test') });
  });

  it('has null for an address without a typo', async () => {
    expect(await traceOf((await verify('ada@gmail.com')).trace_id)).toMatchObject({ did_you_mean: null });
  });

  it('keeps of a forgotten address that there was a correction, and nothing of it', async () => {
    const { trace_id } = await verify('edsger@gmail.co');
    await traceOf(trace_id);
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email: 'edsger@gmail.co' });
    expect(await traceOf(trace_id)).toMatchObject({ display: '•••', domain: '', did_you_mean: '•••' });
    const query = `select distinct meant_domain from trace where display = '•••' and meant_domain is not null`;
    expect((await service.database.query(query, [])).rows).toEqual([['']]);
  });

  it('is enough for a simulation to tell typos, and not to guess at the address', async () => {
    const organisation = await service.createOrganisation();
    for (const email of ['ada@gmail.co', 'ada@gmail.com', 'ada@business.test']) await decide({ email }, organisation);
    const simulated = async (op: string, value: unknown) => {
      const when = { path: 'verification.did_you_mean', op, value };
      const policy = { name: 'Draft', rules: [{ id: 'typo', when, decision: 'review' }], default: 'allow' };
      const body = await post('/v1/policies/default/simulate', { policy }, organisation);
      return { review: body.counts.review, allow: body.counts.allow, undetermined: body.undetermined };
    };
    expect(await simulated('exists', true)).toEqual({ review: 1, allow: 2, undetermined: 0 });
    expect(await simulated('starts_with', 'ada')).toEqual({ review: 0, allow: 2, undetermined: 1 });
  });
});

describe('repeated under an Idempotency-Key', () => {
  const READS = {
    id: 'reads',
    when: { path: 'verification.did_you_mean', op: 'ends_with', value: '@gmail.com' },
    decision: 'review',
  };
  const KEY = { 'idempotency-key': 'one' };

  /** What DNS and the account said about the domain the first time is over. */
  async function changeItsMind(organisation: Organisation): Promise<void> {
    await post('/v1/domains/allowlist', { domains: ['gmail.co'] }, organisation);
  }

  it('a verification is answered as before, field by field, whatever is said of the domain since', async () => {
    const organisation = await service.createOrganisation();
    const send = () => post('/v1/verify', { email: 'ada.king@gmail.co' }, organisation, KEY);
    const first = await send();
    expect(first.did_you_mean).toBe('ada.king@gmail.com');
    await changeItsMind(organisation);
    expect(JSON.stringify(await send())).toBe(JSON.stringify(first));
    const ledger = JSON.stringify(
      service.objectOf(organisation.id).storage.sql.exec('select * from operation').toArray(),
    );
    expect(ledger).toContain(first.trace_id);
    expect(ledger).not.toMatch(/king/i);
  });

  it('a decision likewise, with what its rules saw of the correction', async () => {
    const organisation = await service.createOrganisation();
    const policy = { name: 'Reads', rules: [READS], default: 'allow' };
    expect((await service.call('PUT', '/v1/policies/default', organisation.keys.admin, policy)).status).toBe(200);
    const send = () => post('/v1/decide', { email: 'ada.king@gmail.co', explain: true }, organisation, KEY);
    const first = await send();
    expect(first).toMatchObject({ rule_id: 'reads', verification: { did_you_mean: 'ada.king@gmail.com' } });
    expect(first.explanation[0].conditions[0].actual).toBe('ada.king@gmail.com');
    await changeItsMind(organisation);
    expect(JSON.stringify(await send())).toBe(JSON.stringify(first));
    const ledger = JSON.stringify(
      service.objectOf(organisation.id).storage.sql.exec('select * from operation').toArray(),
    );
    expect(ledger).not.toMatch(/king/i);
  });
});

describe('a file with typos', () => {
  it('has the corrected address in a column of its own; its stored results do not', async () => {
    const organisation = await service.createOrganisation();
    const { ready, start, run, download } = bulkCalls(service, organisation);
    const cells = [
      'ada.byron@gmail.co',
      '=1+1@yahoo.cm',
      'ada.king@gmail.com',
      'ADA.byron@GMAIL.co',
      'nobody',
      '"René"@gmail.co',
    ];
    const file = ['email', ...cells.map((cell) => `"${cell.replaceAll('"', '""')}"`), ''].join('\r\n');
    const id = await ready(file, { policy_slug: 'default', purpose: 'signup' });
    await start(id);
    await run();
    const rows = async (segment?: string) => {
      const text = await (await download(id, segment)).text();
      const { data, meta } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
      expect(meta.fields?.at(-3)).toBe('svc_did_you_mean');
      return data.map((row) => [row.email, row.svc_email_type, row.svc_decision_rule, row.svc_did_you_mean]);
    };
    const all = [
      ['ada.byron@gmail.co', 'unknown', 'typo', 'ada.byron@gmail.com'],
      ['=1+1@yahoo.cm', 'unknown', 'typo', "'=1+1@yahoo.com"],
      ['ada.king@gmail.com', 'free', expect.any(String), ''],
      // Rows of one address share what was found of it.
      ['ADA.byron@GMAIL.co', 'unknown', 'typo', 'ada.byron@gmail.com'],
      ['nobody', '', '', ''],
      ['"René"@gmail.co', 'unknown', 'typo', '"René"@gmail.com'],
    ];
    expect(await rows()).toEqual(all);
    expect(await rows('review')).toEqual(all.filter(([, , rule]) => rule === 'typo'));
    expect(await rows('business')).toEqual([]);
    expect(await findInStores(service, ['byron@gmail.com', '1+1@yahoo.com'])).toEqual([]);
  });
});
