import { describe, expect, it } from 'vitest';
import { MxProvider } from '../../../src/contract/vocabulary.ts';
import { type HostClass, hostClass } from '../../../src/domain/belief/host-class.ts';
import { PRIOR_TABLE } from '../../../src/domain/belief/prior-table.ts';
import { FOUND, precheckOf, rules, traits, UNRESOLVED } from '../answer/prechecks.ts';

const found = precheckOf(FOUND);

describe('hostClass', () => {
  it.each<[why: string, HostClass, HostClass]>([
    ['a business on a suite', 'google_business', hostClass(found, traits(), 'google', false)],
    ['a consumer domain of the same family', 'google_consumer', hostClass(found, traits('consumer'), 'google', false)],
    ['hosts no row knows', 'unknown_business', hostClass(found, traits(), 'unknown', false)],
    ['a gateway with a label', 'barracuda_business', hostClass(found, traits(), 'barracuda', true)],
    ['a gateway without one', 'gateway_business', hostClass(found, traits(), 'unknown', true)],
    ['a failed look-up', 'unresolved_consumer', hostClass(precheckOf(UNRESOLVED), traits('consumer'), null, false)],
    ['a relay, on any host', 'relay', hostClass(found, traits('relay'), 'apple', false)],
    [
      'a disposable domain, on any host',
      'disposable',
      hostClass(precheckOf(FOUND, 'block'), traits(), 'google', false),
    ],
    [
      'judged by its host once allowed',
      'google_business',
      hostClass(precheckOf(FOUND, 'block', rules('allow')), traits(), 'google', false),
    ],
    ['suspicion changes nothing', 'google_business', hostClass(precheckOf(FOUND, 'signal'), traits(), 'google', false)],
  ])('%s: %s', (_why, expected, actual) => expect(actual).toBe(expected));

  it('has a row in the prior table for every label, consumer and business, gateway or not', () => {
    for (const label of [...MxProvider.options, null])
      for (const present of [traits(), traits('consumer')])
        for (const gateway of [false, true])
          expect(PRIOR_TABLE).toHaveProperty(hostClass(found, present, label, gateway));
  });
});
