import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, PolicyDocument } from '../../../src/contract/policy.ts';
import { storedTextFault } from '../../../src/contract/stored-text.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../../src/domain/policy/document.ts';
import { faultsMessage } from '../../../src/domain/policy/conditions.ts';
import { is, PROFILE, rule } from './facts.ts';

const FREE = is('verification.email_type', 'eq', 'free');
const FULL = {
  name: 'Signups',
  rules: [
    rule('r1', {
      all: [FREE, { not: { any: [is('icp.fit', 'eq', 'strong'), is('attributes.plan', 'exists', true)] } }],
    }),
    rule('r2', is('company.country', 'in', ['DE', 'AT']), {
      description: 'Ours',
      decision: 'allow_with_flow',
      flow: 'fast-track',
      experiment: { id: 'e1', weight: 20, min_sample: 400, guardrails: ['churned', 'custom:angry_call'] },
    }),
  ],
  default: 'review',
  icp: PROFILE,
};

/** As the service reads it. */
const parse = (json: unknown) => parsePolicy(json, storedTextFault);

/** A copy of the document with one place in it set again; absent where the value is. */
function changed(place: string, value?: unknown): unknown {
  const copy: unknown = structuredClone(FULL);
  const steps = place.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce((at, step) => (at as Record<string, unknown>)[step], copy) as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
const positions = (json: unknown): readonly string[] => {
  const parsed = parse(json);
  return parsed.ok ? [] : parsed.error.map(({ at }) => at);
};

describe('a policy document', () => {
  it('is taken as it was sent', () => {
    expect(parse(FULL)).toEqual({ ok: true, value: FULL });
  });

  it('may leave out the profile, or some of its lists', () => {
    const { icp: _, ...bare } = FULL;
    expect(parse(bare)).toEqual({ ok: true, value: { ...FULL, icp: null } });
    expect(parse({ ...FULL, icp: null })).toEqual({ ok: true, value: { ...FULL, icp: null } });
    const none = { industries: [], employees_ranges: [], countries: [], seniorities: [] };
    expect(parse({ ...FULL, icp: { countries: ['DE'] } })).toMatchObject({
      value: { icp: { ...none, countries: ['DE'] } },
    });
  });

  it('may be without rules', () => {
    expect(parse({ name: 'Open', rules: [], default: 'allow' })).toMatchObject({ ok: true });
  });

  it('agrees with the declared form', () => {
    expect(PolicyDocument.parse(FULL)).toEqual(FULL);
    expect(PolicyDocument.parse(DEFAULT_POLICY)).toEqual(DEFAULT_POLICY);
    expect(parse(DEFAULT_POLICY)).toEqual({ ok: true, value: DEFAULT_POLICY });
  });
});

const deep = (levels: number): unknown =>
  JSON.parse('{"not":'.repeat(levels) + JSON.stringify(FREE) + '}'.repeat(levels));
const many = (count: number, of: unknown): unknown[] => Array.from({ length: count }, () => of);
const NODE = 'rules[0].when.all[0]';
const POLLUTED: unknown = JSON.parse(`{"__proto__":{"decision":"allow"},${JSON.stringify(FULL.rules[0]).slice(1)}`);

describe('a fault is named by its position', () => {
  /** What is set to what, and where the fault is when it is not there. */
  it.each<[place: string, value?: unknown, position?: string]>([
    ['rules', many(1_000, FULL.rules[0])],
    ['rules[0].enabled', true],
    ['rules[0]', POLLUTED, 'rules[0].__proto__'],
    ['rules[0].description', 'Ask <ada@example.com> first'],
    ['rules[0].when'],
    ['rules[0].when', []],
    ['rules[0].when', {}],
    ['rules[0].when.any', [FREE]],
    ['rules[0].when.all', []],
    ['rules[0].when.all', many(51, FREE)],
    [`${NODE}.path`, 'verification.nope'],
    [`${NODE}.path`, 'verification.__proto__'],
    [`${NODE}.path`, 'constructor'],
    [`${NODE}.path`, 'attributes.Plan'],
    [`${NODE}.path`, 'verification.providers'],
    [`${NODE}.path`, 7],
    [`${NODE}.op`],
    [`${NODE}.op`, 'matches'],
    [`${NODE}.op`, 'gt'],
    [`${NODE}.value`],
    [`${NODE}.value`, 'Free mail'],
    [`${NODE}.value`, ['free']],
    [`${NODE}.not`, FREE],
    ['rules[0].when.all[1].not.any[0].value', null],
    ['rules[0].when.all[1].not.any[1].value', 'yes'],
    ['rules[1].when.value', []],
    ['rules[1].when.value', 'DE'],
    ['rules[1].when.value[1]', 'Germany'],
    ['rules[1].experiment.colour', 1],
    ['rules[0].experiment', FULL.rules[1]?.experiment, 'rules[1].experiment.id'],
    ['name', 'Signups (ask ada@example.com!)'],
    ['rules[1].description', 'Call bob@example.com.'],
    ['rules[1].flow', 'dave@example.com/'],
    [
      'rules[0].when.all[1].not.any[1]',
      is('attributes.plan', 'eq', 'ada＠example.com'),
      'rules[0].when.all[1].not.any[1].value',
    ],
    ['icp.industries[0]', '{ada@example.com}'],
    ['name', 'a\0b'],
    ['rules[1].flow', 'a\ud800'],
    ['icp.size', []],
    ['icp.industries', 'software'],
  ])('%s set to %j', (place: string, value?: unknown, position: string = place) => {
    expect(positions(changed(place, value))).toEqual([position]);
  });

  it('however deep it is', () => {
    expect(positions(changed('rules[0].when', deep(5_000)))).toEqual([`rules[0].when${'.not'.repeat(8)}`]);
  });

  it.each([
    ['verification.bounce_probability', 'gt', '0.5'],
    ['verification.signals.mx', 'eq', 'true'],
    ['verification.reasons', 'contains', 'nope'],
    ['verification.reasons', 'eq', 'no_mx'],
    ['verification.email', 'eq', 'ada@example.com'],
    ['attributes.seats', 'gte', '5'],
    ['attributes.plan', 'eq', { a: 1 }],
    ['attributes.plan', 'contains', true],
    ['person.seniority', 'starts_with', 'dir'],
    ['context.purpose', 'eq', 'Signup'],
    ['screening.reasons', 'contains', 'syntax'],
    ['icp', 'exists', true],
    ['company.', 'exists', true],
  ])('%s %s %j is refused', (path, op, value) => {
    expect(positions(changed('rules[1].when', { path, op, value }))).toHaveLength(1);
  });

  it('names all faults, the message the first five and how many more', () => {
    const json = changed(`${NODE}.path`, 'x.y');
    const parsed = parse({ ...(json as object), a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 });
    expect(parsed.ok ? '' : faultsMessage(parsed.error)).toBe(
      '`a` is not a known member; `b` is not a known member; `c` is not a known member; `d` is not a known member; `e` is not a known member; 2 more.',
    );
  });

  it.each([null, 7, 'x', [], undefined])('refuses %j as a whole', (json) => {
    expect(positions(json)).toEqual(['']);
  });

  it.each([
    ['x', '', 'The policy must be an object.'],
    ['x', 'policy', '`policy` must be an object.'],
    [{ ...FULL, name: 7 }, '', '`name` must be text.'],
    [{ ...FULL, name: 7 }, 'policy', '`policy.name` must be text.'],
  ])('of %j below %j the message is %s', (json, root, message) => {
    const parsed = parse(json);
    expect(parsed.ok ? '' : faultsMessage(parsed.error, root)).toBe(message);
  });
});

describe('a fault is named by its position and its problem', () => {
  const faults = (json: unknown) => {
    const parsed = parse(json);
    return parsed.ok ? [] : parsed.error;
  };
  const EXPERIMENT = 'rules[1].experiment';

  it.each<[place: string, value: unknown, problem: string, at?: string]>([
    ['name', undefined, 'is required'],
    ['name', 7, 'must be text'],
    ['name', '  ', 'must not be empty'],
    ['name', 'x'.repeat(201), 'must be at most 200 characters'],
    ['version', 1, 'is not a known member'],
    ['rules', undefined, 'is required'],
    ['rules', {}, 'must be a list'],
    ['rules', many(201, FULL.rules[0]), 'must have at most 200 entries'],
    ['default', undefined, 'is required'],
    ['default', 'maybe', 'must be one of allow, allow_with_flow, review, challenge, deny'],
    ['default', 'allow_with_flow', 'must not be allow_with_flow, which needs a rule to name the flow'],
    ['rules[0]', 'deny', 'must be an object'],
    ['rules[0].a b', true, 'has an unknown member', 'rules[0]'],
    ['rules[0].id', undefined, 'is required'],
    ['rules[0].id', 7, 'must be text'],
    ['rules[0].id', 'a b', 'must be 1 to 64 letters, digits, `_`, `-` or `.`'],
    ['rules[0].id', 'default', 'must not be `default`, which stands for no rule'],
    ['rules[1].id', 'r1', 'is the same as `rules[0].id`'],
    ['rules[0].description', '', 'must not be empty'],
    ['rules[0].decision', undefined, 'is required'],
    ['rules[0].decision', 'ALLOW', 'must be one of allow, allow_with_flow, review, challenge, deny'],
    ['rules[0].decision', ['allow'], 'must be one of allow, allow_with_flow, review, challenge, deny'],
    ['rules[0].flow', 'x', 'belongs to the decision allow_with_flow only'],
    ['rules[1].flow', undefined, 'is required'],
    [EXPERIMENT, true, 'must be an object'],
    [`${EXPERIMENT}.id`, undefined, 'is required'],
    [`${EXPERIMENT}.weight`, undefined, 'is required'],
    [`${EXPERIMENT}.weight`, 0, 'must be a whole number from 1 to 100'],
    [`${EXPERIMENT}.weight`, 101, 'must be a whole number from 1 to 100'],
    [`${EXPERIMENT}.weight`, 2.5, 'must be a whole number from 1 to 100'],
    [`${EXPERIMENT}.min_sample`, undefined, 'is required'],
    [`${EXPERIMENT}.min_sample`, 1_000_001, 'must be a whole number from 1 to 1000000'],
    [`${EXPERIMENT}.guardrails`, 'churned', 'must be a list'],
    [`${EXPERIMENT}.guardrails`, many(11, 'churned'), 'must have at most 10 entries'],
    [`${EXPERIMENT}.guardrails[1]`, 'custom:No', 'is not an event name'],
    [`${EXPERIMENT}.guardrails[0]`, ['churned'], 'is not an event name'],
    ['icp', [], 'must be an object'],
    ['icp.industries[0]', 7, 'is not an industry'],
    [
      'icp.employees_ranges[0]',
      '50',
      'must be one of 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001+',
    ],
    ['icp.countries[1]', 'de', 'must be an ISO 3166-1 alpha-2 code'],
    ['icp.seniorities[0]', 'ceo', 'must be one of junior, senior, manager, director, executive'],
  ])('%s set to %j', (place, value, problem, at = place) => {
    expect(faults(changed(place, value))).toEqual([{ at, problem }]);
  });

  it('the comparisons of a whole document past their limit, once', () => {
    const wide: Condition = { all: Array.from({ length: 40 }, () => ({ any: [FREE, FREE] })) };
    const json = { ...FULL, rules: Array.from({ length: 30 }, (_, i) => rule(`r${i}`, wide)) };
    expect(faults(json)).toEqual([{ at: 'rules[25].when', problem: 'is past the 2000 comparisons of a policy' }]);
  });

  it.each<[place: string, value?: unknown]>([
    [`${EXPERIMENT}.weight`, 1],
    [`${EXPERIMENT}.weight`, 100],
    [`${EXPERIMENT}.min_sample`, 1],
    [`${EXPERIMENT}.min_sample`, 1_000_000],
    [`${EXPERIMENT}.guardrails`],
    [`${EXPERIMENT}.guardrails`, many(10, 'churned')],
  ])('none where %s is set to %j', (place, value) => {
    expect(faults(changed(place, value))).toEqual([]);
  });
});

/** Random JSON built from the words of a policy, so that parsing reaches deep levels. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(
      'free',
      'deny',
      'eq',
      'in',
      'verification.email_type',
      'company.country',
      '__proto__',
      1,
      null,
      true,
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom(
        'rules',
        'when',
        'all',
        'any',
        'not',
        'path',
        'op',
        'value',
        'id',
        'decision',
        'icp',
        'experiment',
        '__proto__',
        'constructor',
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value;

describe('whatever JSON it is given', () => {
  it('parsePolicy never throws, and either takes it or says why', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, fc.jsonValue()), fc.boolean(), (value, spoilt) => {
        const json = spoilt ? changed('rules[0].when', value) : value;
        const parsed = parse(json);
        expect(parsed.ok || parsed.error.length > 0).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('what it takes has the declared form', () => {
    fc.assert(
      fc.property(anyJson, (when) => {
        const parsed = parse(changed('rules[0].when', when));
        if (parsed.ok) expect(PolicyDocument.safeParse(parsed.value).success).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a message repeats no value', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const rules = [rule('r1', { [email]: 1 } as never), rule(email, is(email, 'eq', email))];
        const parsed = parse({ ...FULL, name: email, [email]: 1, rules });
        expect(parsed.ok ? email : faultsMessage(parsed.error)).not.toContain(email);
      }),
    );
  });
});
