import { describe, expect, it } from 'vitest';
import { type Levels, LIST_LEVELS, NO_HISTORY } from '../../../src/domain/verification/history.ts';
import { neighboursOf } from '../../../src/services/verification/history.ts';
import { FULLEST, hashOf } from '../../support/histories.ts';

const levels = (at: number): Levels => ({
  values: new Float32Array(LIST_LEVELS),
  at,
  isReported: false,
  stoppedOn: null,
  refused: 0,
  delivered: 0,
});
const [asking, own] = [levels(1), levels(2)];
const address = { ...FULLEST, list: hashOf('a list') };

describe('the list of an address', () => {
  it.each([
    [
      'of which nothing is known: the one that asks, as a stranger’s',
      { ...NO_HISTORY, list: asking },
      'any',
      asking,
      false,
    ],
    ['first seen in the one that asks: that', { address, domain: null, list: asking }, hashOf('a list'), asking, true],
    ['first seen in another: that one', { address, domain: null, list: asking, ownList: own }, 'any', own, true],
    [
      'first seen in another of which nothing is kept, or that the object does not tell: the one that asks, as a stranger’s',
      { address, domain: null, list: asking },
      'any',
      asking,
      false,
    ],
    [
      'whose list was not kept: the one that asks, as a stranger’s',
      { address: { ...address, list: null }, domain: null, list: asking },
      'any',
      asking,
      false,
    ],
  ] as const)('%s', (_, history, name, list, isOwnList) => {
    expect(neighboursOf(history, () => name)).toEqual({ neighbours: { domain: null, list }, isOwnList });
  });
});
