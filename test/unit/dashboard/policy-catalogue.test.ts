import { describe, expect, it } from 'vitest';
import { CATALOGUE, OPERATORS, typeOf } from '../../../dashboard/app/screens/policy/catalogue.ts';
import { KNOWN_PATHS, OPS_BY_TYPE, pathType } from '../../../src/domain/policy/paths.ts';

const asForm = (is: string): string => (is === 'string' ? 'text' : is);

describe('the form of a condition', () => {
  it('offers every path that a rule can read, and no other', () => {
    expect(Object.keys(CATALOGUE).toSorted()).toEqual(KNOWN_PATHS.toSorted());
  });

  it.each(KNOWN_PATHS)('takes for %s what the service takes', (path) => {
    const [own, served] = [typeOf(path), pathType(path)];
    expect(own.is).toBe(asForm(served?.is ?? ''));
    if (served !== null && 'of' in served) expect('of' in own && own.of.toSorted()).toEqual(served.of.toSorted());
    for (const op of OPERATORS[own.is]) expect(OPS_BY_TYPE[served?.is ?? 'any']).toContain(op);
  });
});
