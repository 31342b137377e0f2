import { describe, expect, it } from 'vitest';
import { MxProvider } from '../../../src/contract/vocabulary.ts';
import {
  type HostClass,
  type HostTraits,
  hostClass,
  isShared,
  operatorOf,
} from '../../../src/domain/belief/host-class.ts';
import { PRIOR_TABLE } from '../../../src/domain/belief/prior-table.ts';

const traits = (change: Partial<HostTraits> = {}): HostTraits => ({
  disposable: false,
  relay: false,
  consumer: false,
  mxProvider: 'google',
  gateway: false,
  ...change,
});

describe('hostClass', () => {
  it.each<[why: string, HostClass, Partial<HostTraits>]>([
    ['a business on a suite', 'google_business', {}],
    ['a consumer domain of the same family', 'google_consumer', { consumer: true }],
    ['hosts no row knows', 'unknown_business', { mxProvider: 'unknown' }],
    ['a gateway with a label', 'barracuda_business', { mxProvider: 'barracuda', gateway: true }],
    ['a gateway without one', 'gateway_business', { mxProvider: 'unknown', gateway: true }],
    ['a failed look-up', 'unresolved_consumer', { mxProvider: null, consumer: true }],
    ['a relay, on any host', 'relay', { mxProvider: 'apple', relay: true }],
    ['a disposable domain, on any host', 'disposable', { disposable: true, relay: true }],
  ])('%s: %s', (_why, expected, change) => expect(hostClass(traits(change))).toBe(expected));

  it('has a row in the prior table for every label, consumer and business, gateway or not', () => {
    for (const mxProvider of [...MxProvider.options, null])
      for (const consumer of [false, true])
        for (const gateway of [false, true])
          expect(PRIOR_TABLE).toHaveProperty(hostClass(traits({ mxProvider, consumer, gateway })));
  });
});

describe('a host', () => {
  it.each<[HostClass, shared: boolean, operator: string | null]>([
    ['google_business', false, 'google'],
    ['google_consumer', true, 'google'],
    ['unknown_business', false, null],
    ['gateway_business', false, null],
    ['unresolved_business', false, null],
    ['relay', true, null],
    ['disposable', true, null],
  ])('%s is of many people: %s; its operator: %s', (host, shared, operator) => {
    expect(isShared(host)).toBe(shared);
    expect(operatorOf(host)).toBe(operator);
  });
});
