import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { Company, Person } from '../../../src/contract/decision.ts';
import { Decision, IcpFit, Op } from '../../../src/contract/policy.ts';
import { ScreeningLabels } from '../../../src/contract/screening.ts';
import { Verification, VerificationContext } from '../../../src/contract/verification.ts';
import { DECISIONS, OPS } from '../../../src/contract/words.ts';
import { KNOWN_PATHS, OPS_BY_TYPE, type PathType, pathProblem, pathType } from '../../../src/domain/policy/paths.ts';

/** A schema's scalars by path, with the type of a comparison. */
function readable(path: string, schema: z.ZodType): [string, PathType][] {
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
  const enumOf = (inner: unknown) => Object.values((inner as { def: { entries: Record<string, string> } }).def.entries);
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return readable(path, def.innerType as z.ZodType);
    case 'object':
      return Object.entries(def.shape as Record<string, z.ZodType>).flatMap(([name, inner]) =>
        readable(`${path}.${name}`, inner),
      );
    case 'enum':
      return [[path, { is: 'word', of: enumOf(schema) }]];
    case 'array':
      return [[path, { is: 'words', of: enumOf(def.element) }]];
    case 'literal':
      return [[path, { is: 'boolean' }]];
    case 'number':
    case 'boolean':
    case 'string':
      return [[path, { is: def.type }]];
    default:
      // A pair and a record of receipts are not scalars.
      return [];
  }
}

const CONTRACT = [
  ...readable('verification', Verification),
  ...readable('screening', ScreeningLabels),
  ...readable('company', Company),
  ...readable('person', Person),
  ...readable('icp', IcpFit).map(([, type]) => ['icp.fit', type] as [string, PathType]),
  ...readable('context', VerificationContext),
];

describe('the paths of a policy', () => {
  it('are every scalar of the declared forms, and nothing else', () => {
    expect(KNOWN_PATHS.toSorted()).toEqual(CONTRACT.map(([path]) => path).toSorted());
  });

  it.each(CONTRACT)('%s has the declared type', (path, type) => {
    expect(pathType(path)).toEqual(path === 'company.country' ? { is: 'country' } : type);
  });

  it('are open for attributes, by the form of their keys', () => {
    expect(pathType('attributes.plan_2')).toEqual({ is: 'any' });
    for (const path of ['attributes', 'attributes.', 'attributes.Plan', 'attributes.a.b', 'attributes.2'])
      expect(pathType(path)).toBeNull();
  });
});

describe('what is not a path is refused with paths to use instead', () => {
  const BEGIN = 'must begin with one of verification, screening, company, person, icp, context, attributes';
  it.each<[value: unknown, problem: string]>([
    ['attributes', 'must be `attributes.` and 1 to 64 of a-z, 0-9 and _ with a letter first'],
    ['attributes.Plan', 'must be `attributes.` and 1 to 64 of a-z, 0-9 and _ with a letter first'],
    ['icp', 'must be one of icp.fit'],
    ['icp.fi', 'must be one of icp.fit'],
    [
      'context.nope.deep',
      'must be one of context.purpose, context.sender_domain, context.max_cost_usd, context.max_latency_ms',
    ],
    ['nope.fit', BEGIN],
    ['ic', BEGIN],
    ['', BEGIN],
    [7, BEGIN],
    [undefined, BEGIN],
  ])('%j', (value, problem) => {
    expect(pathProblem(value)).toBe(problem);
  });
});

it('decisions and operators are those of the declared form', () => {
  expect(DECISIONS).toEqual(Decision.options);
  expect(OPS).toEqual(Op.options);
});

it('every operator suits some type', () => {
  expect(new Set(Object.values(OPS_BY_TYPE).flat())).toEqual(new Set(OPS));
});
