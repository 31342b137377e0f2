import { describe, expect, it } from 'vitest';
import { type KeyOrigin, type Role, roleAllows, seesWholeOrganisation } from '../../../src/domain/access/keys.ts';
import { maySeeTrace } from '../../../src/domain/traces/traces.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { keyRecord } from '../../support/records.ts';

describe('roleAllows', () => {
  it.each<[has: Role, needs: Role, allowed: boolean]>([
    ['viewer', 'viewer', true],
    ['viewer', 'member', false],
    ['viewer', 'admin', false],
    ['member', 'viewer', true],
    ['member', 'member', true],
    ['member', 'admin', false],
    ['admin', 'viewer', true],
    ['admin', 'member', true],
    ['admin', 'admin', true],
  ])('a %s key on a route for %s: %s', (has, needs, allowed) => {
    expect(roleAllows(has, needs)).toBe(allowed);
  });
});

/** Dashboard keys and admins read everything; the others what they wrote themselves. */
const VISIBILITY: [origin: KeyOrigin, role: Role, whole: boolean][] = [
  ['auto', 'viewer', true],
  ['auto', 'member', true],
  ['auto', 'admin', true],
  ['manual', 'viewer', false],
  ['manual', 'member', false],
  ['manual', 'admin', true],
  ['service', 'viewer', false],
  ['service', 'member', false],
  ['service', 'admin', true],
];

describe('what a key may read', () => {
  it.each(VISIBILITY)('%s %s reads the whole organisation: %s', (origin, role, whole) => {
    expect(seesWholeOrganisation({ origin, role })).toBe(whole);
  });

  it.each(VISIBILITY)('%s %s: its own traces always, those of other keys: %s', (origin, role, whole) => {
    const key = keyRecord({ origin, role });
    expect(maySeeTrace(key, { mode: 'live', keyId: key.id })).toBe(true);
    expect(maySeeTrace(key, { mode: 'live', keyId: newId('key', 0) })).toBe(whole);
    // Written while the organisation's object was out of reach: no key is known to have written it.
    expect(maySeeTrace(key, { mode: 'live', keyId: null })).toBe(whole);
  });

  it.each(VISIBILITY)('%s %s never reads across test and live, not even its own', (origin, role) => {
    const live = keyRecord({ origin, role });
    const test = { ...live, mode: 'test' } as const;
    expect(maySeeTrace(live, { mode: 'test', keyId: live.id })).toBe(false);
    expect(maySeeTrace(test, { mode: 'live', keyId: live.id })).toBe(false);
    expect(maySeeTrace(test, { mode: 'test', keyId: live.id })).toBe(true);
  });
});
