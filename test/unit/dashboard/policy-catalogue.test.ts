import { describe, expect, it } from 'vitest';
import { firstOperator, operatorsOf, typeOf } from '../../../dashboard/app/screens/policy/catalogue.ts';
import { KNOWN_PATHS, OPS_BY_TYPE, pathType } from '../../../src/domain/policy/paths.ts';

describe('the form of a condition', () => {
  it.each([...KNOWN_PATHS, 'attributes.plan'])('takes for %s what the service takes', (path) => {
    const type = pathType(path);
    expect(typeOf(path)).toEqual(type);
    expect(operatorsOf(path)).toEqual(OPS_BY_TYPE[type?.is ?? 'any']);
    expect(operatorsOf(path)).toContain(firstOperator(path));
  });
});
