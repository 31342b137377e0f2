import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleMatch } from '../../../src/domain/rules/rules.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { matchRules, matchRulesOfAll } from '../../../src/organisation/rules.ts';
import type { Sql } from '../../../src/organisation/sql/sql.ts';
import { explaining } from '../../support/object-storage.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

type Rule = 'block' | 'allow';

function insertDomainRule(sql: Sql, domain: string, rule: Rule): void {
  const columns = 'insert into domain_rule (domain, id, rule, created_at, created_by) values (?, ?, ?, ?, ?)';
  sql.exec(columns, domain, `dr_${domain}`, rule, START_MS, 'u_1');
}

function insertAddressRule(sql: Sql, hash: string, rule: Rule): void {
  const columns =
    'insert into address_rule (hash, id, rule, display, created_at, created_by) values (?, ?, ?, ?, ?, ?)';
  sql.exec(columns, hash, `ar_${hash}`, rule, 'j•••@acme.example', START_MS, 'u_1');
}

/** An organisation's rules, looked up as every request does. */
async function createRuled(domains: Readonly<Record<string, Rule>>, addresses: Readonly<Record<string, Rule>> = {}) {
  const organisation = await createTestOrganisation();
  const { sql } = organisation.storage;
  for (const [domain, rule] of Object.entries(domains)) insertDomainRule(sql, domain, rule);
  for (const [hash, rule] of Object.entries(addresses)) insertAddressRule(sql, hash, rule);
  return { organisation, match: (domain: string, hash: string | null = null) => matchOf(organisation, domain, hash) };
}

async function matchOf(organisation: TestOrganisation, domain: string, addressHash: string | null): Promise<RuleMatch> {
  const answer = await organisation.authorize({ lookup: { domain, addressHash } });
  if (!answer.ok) throw new Error('not authorized');
  return answer.rules;
}

describe('a domain rule', () => {
  const RULES = { 'acme.example': 'block', 'mail.acme.example': 'allow', 'deep.mail.acme.example': 'block' } as const;

  it.each([
    ['its domain', 'acme.example', 'block', 'acme.example'],
    ['its subdomains', 'shop.acme.example', 'block', 'acme.example'],
    ['subdomains at any depth', 'a.b.c.acme.example', 'block', 'acme.example'],
    ['a subdomain that has a rule of its own less than that rule', 'mail.acme.example', 'allow', 'mail.acme.example'],
    ['below that one too', 'x.mail.acme.example', 'allow', 'mail.acme.example'],
    ['and so on', 'x.deep.mail.acme.example', 'block', 'deep.mail.acme.example'],
  ])('covers %s: %s', async (_, domain, rule, matchedDomain) => {
    const { match } = await createRuled(RULES);
    expect(await match(domain)).toEqual({ address: null, domain: { rule, matchedDomain } });
  });

  it.each([
    ['a name that only ends alike', 'notacme.example'],
    ['a parent', 'example'],
    ['a sibling', 'other.example'],
    ['its name inside another', 'acme.example.org'],
    ['nothing', ''],
  ])('does not cover %s: "%s"', async (_, domain) => {
    const { match } = await createRuled(RULES);
    expect((await match(domain)).domain).toBeNull();
  });

  it('is never looked up for a top-level label', async () => {
    const { match } = await createRuled({ example: 'block' });
    expect((await match('acme.example')).domain).toBeNull();
  });

  it('is the most specific of all that match, whatever the rules', async () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const domain = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => [...labels, 'example'].join('.'));
    const ruleSet = fc.dictionary(domain, fc.constantFrom<Rule>('block', 'allow'), { maxKeys: 12 });
    await fc.assert(
      fc.asyncProperty(ruleSet, domain, async (rules, asked) => {
        const { organisation } = await createRuled(rules);
        const covering = Object.keys(rules).filter((name) => asked === name || asked.endsWith(`.${name}`));
        const longest = covering.toSorted((a, b) => b.length - a.length)[0];
        const expected = longest === undefined ? null : { rule: rules[longest], matchedDomain: longest };
        expect(matchRules(organisation.storage.sql, { domain: asked, addressHash: null }).domain).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('an address rule', () => {
  const JANE = sha256Hex('jane');

  it('matches its own hash and no other', async () => {
    const { match } = await createRuled({}, { [JANE]: 'block' });
    expect(await match('acme.example', JANE)).toEqual({ address: 'block', domain: null });
    expect(await match('acme.example', sha256Hex('john'))).toEqual({ address: null, domain: null });
    expect(await match('acme.example', null)).toEqual({ address: null, domain: null });
  });

  it('is beside the domain’s, for the domain to weigh the two', async () => {
    const { match } = await createRuled({ 'acme.example': 'block' }, { [JANE]: 'allow' });
    const domain = { rule: 'block', matchedDomain: 'acme.example' };
    expect(await match('acme.example', JANE)).toEqual({ address: 'allow', domain });
  });
});

describe('many addresses at once', () => {
  const names = fc.constantFrom('a.example', 'x.a.example', 'b.example', 'y.b.example', 'example', '');
  const hashes = fc.constantFrom(null, ...['jane', 'john', 'jo'].map(sha256Hex));
  const RULES = { 'a.example': 'block', 'y.b.example': 'allow' } as const;

  it('match what each does alone, notes as asked', async () => {
    const { organisation } = await createRuled(RULES, { [sha256Hex('jane')]: 'allow' });
    const { sql } = organisation.storage;
    const lookup = fc.record(
      { domain: names, addressHash: hashes, notes: fc.constant(true) },
      { requiredKeys: ['domain', 'addressHash'] },
    );
    fc.assert(
      fc.property(fc.array(lookup), (probes) => {
        expect(matchRulesOfAll(sql, probes)).toEqual(probes.map((each) => matchRules(sql, each)));
      }),
    );
  });

  it('take one look into each index, however many they are', async () => {
    const { sql, plans } = explaining((await createRuled({})).organisation.storage.sql);
    matchRulesOfAll(
      sql,
      Array.from({ length: 100 }, (_, n) => ({ addressHash: `${n}`, domain: `d${n}.example` })),
    );
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toContainEqual(expect.stringMatching(/^SEARCH .*PRIMARY KEY/));
  });
});

describe('rules', () => {
  it('are in force for the next request, on a repeat of an earlier one too', async () => {
    const { organisation } = await createRuled({});
    const lookup = { domain: 'acme.example', addressHash: null };
    expect(await organisation.authorize({ operationId: 'vr_1', lookup })).toMatchObject({ rules: { domain: null } });
    const domain = { key: 'acme.example', display: 'acme.example' };
    const change = {
      kind: 'domain',
      rule: 'block',
      note: null,
      author: { actor: 'u_1' },
      operationId: 'rq_1',
    } as const;
    await organisation.object.addRules({ ...change, subjects: [domain] });
    expect(await organisation.authorize({ operationId: 'vr_1', lookup })).toMatchObject({
      rules: { domain: { rule: 'block' } },
    });
  });

  it('are found through indexes alone', async () => {
    const ruled = await createRuled({ 'other.example': 'block' }, { y: 'block' });
    const { sql, plans } = explaining(ruled.organisation.storage.sql);
    matchRules(sql, { addressHash: 'x', domain: 'mail.acme.example' });
    const [anyOfAll, byKey] = [[expect.stringMatching(/^SCAN /)], [expect.stringMatching(/^SEARCH .*PRIMARY KEY/)]];
    expect(plans).toEqual([anyOfAll, anyOfAll, byKey, byKey, byKey]);
  });

  it('are not looked up where there are none of their kind', async () => {
    const { sql, plans } = explaining((await createRuled({})).organisation.storage.sql);
    matchRules(sql, { addressHash: 'x', domain: 'mail.acme.example' });
    expect(plans).toHaveLength(2);
  });
});
