import { expect, it } from 'vitest';
import { HARMLESS, lockedHits, nameOf } from '../../scripts/advisories/advisories.ts';

it('a locked version with a known advisory has the reason why it does no harm, and no reason outlives its advisory', () => {
  expect([...new Set(lockedHits().map(nameOf))].sort()).toEqual(Object.keys(HARMLESS).sort());
});
