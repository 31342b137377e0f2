import { describe, expect, it, vi } from 'vitest';
import type { PolicyVersion } from '../../../src/domain/policy/policy-records.ts';
import type { OrganisationRpc } from '../../../src/organisation/api.ts';
import { policyFinder } from '../../../src/services/policy/policy-finder.ts';
import { PolicyMemory } from '../../../src/services/policy/policy-memory.ts';
import { broken, ORGANISATION, overloaded } from '../../support/scripted-object.ts';

const documentOf = (decision: string) => JSON.stringify({ name: 'x', rules: [], default: decision, icp: null });
const unreachable = new Error('no answer');

/** A finder whose object answers `readPolicy` like this. */
function finderOn(answer: PolicyVersion | Error) {
  const readPolicy = vi.fn(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  const objects = {
    stub: () => ({ readPolicy }) as unknown as OrganisationRpc,
    now: Date.now,
    counters: { add: () => undefined },
  };
  return { ...policyFinder(objects, new PolicyMemory()), readPolicy };
}

describe('a policy that came with the admission', () => {
  it('decides, and is known from then on, without another call', async () => {
    const { findPolicy, knownPolicy, readPolicy } = finderOn(unreachable);
    const sent = { createdAt: 7, document: documentOf('deny') };
    expect(await findPolicy(ORGANISATION, 'a', 2, sent)).toMatchObject({ version: 2, policy: { default: 'deny' } });
    expect(knownPolicy(ORGANISATION, 'a')).toMatchObject({ slug: 'a', version: 2, createdAt: 7 });
    const again = await findPolicy(ORGANISATION, 'a', 2, { createdAt: 7, document: null });
    expect(again.policy.default).toBe('deny');
    expect(readPolicy).not.toHaveBeenCalled();
  });

  it('takes the place of another of the same number, and of a higher one', async () => {
    const { findPolicy, knownPolicy } = finderOn(unreachable);
    await findPolicy(ORGANISATION, 'a', 3, { createdAt: 9, document: documentOf('deny') });
    await findPolicy(ORGANISATION, 'a', 3, { createdAt: 12, document: documentOf('review') });
    expect(knownPolicy(ORGANISATION, 'a')?.policy.default).toBe('review');
    await findPolicy(ORGANISATION, 'a', 2, { createdAt: 8, document: documentOf('allow') });
    expect(knownPolicy(ORGANISATION, 'a')).toMatchObject({ version: 2, policy: { default: 'allow' } });
  });
});

describe('a policy that the memory has lost', () => {
  const sent = { createdAt: 7, document: null };

  it('is read from the object', async () => {
    const version = { slug: 'a', version: 2, createdAt: 7, document: documentOf('deny'), createdBy: null };
    const { findPolicy, knownPolicy } = finderOn(version);
    expect((await findPolicy(ORGANISATION, 'a', 2, sent)).policy.default).toBe('deny');
    expect(knownPolicy(ORGANISATION, 'a')).toMatchObject({ version: 2 });
  });

  it('is refused by an overloaded object, never guessed', async () => {
    await expect(finderOn(overloaded).findPolicy(ORGANISATION, 'a', 2, sent)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterS: 1 },
    });
  });

  it('is a bug where the object is broken', async () => {
    const remote = Object.assign(broken, { remote: true });
    await expect(finderOn(remote).findPolicy(ORGANISATION, 'a', 2, sent)).rejects.toThrow(/object failed/);
  });

  it('is the built-in one where the object is out of reach', async () => {
    expect(await finderOn(unreachable).findPolicy(ORGANISATION, 'a', 2, sent)).toMatchObject({
      slug: 'default',
      version: 0,
    });
  });
});

it('the account out of reach, the version last known decides, of that policy alone', async () => {
  const { findPolicy } = finderOn(unreachable);
  await findPolicy(ORGANISATION, 'a', 2, { createdAt: 7, document: documentOf('deny') });
  expect(await findPolicy(ORGANISATION, 'a', null)).toMatchObject({ slug: 'a', version: 2 });
  expect(await findPolicy(ORGANISATION, 'b', null)).toMatchObject({ slug: 'default', version: 0 });
});
