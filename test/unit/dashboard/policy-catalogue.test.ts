import { expect, it } from 'vitest';
import { firstOperator } from '../../../dashboard/app/screens/policy/catalogue.ts';
import { KNOWN_PATHS, OPS_BY_TYPE, pathType } from '../../../src/domain/policy/paths.ts';

it.each([...KNOWN_PATHS, 'attributes.plan'])('a condition on %s begins with an operator that suits it', (path) => {
  expect(OPS_BY_TYPE[pathType(path)?.is ?? 'any']).toContain(firstOperator(path));
});
