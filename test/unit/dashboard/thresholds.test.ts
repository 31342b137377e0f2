import { expect, it } from 'vitest';
import { extremesOf, moveText } from '../../../dashboard/app/lib/thresholds.ts';

// A bounce, a good contact lost, a good contact held, a bad address held.
it.each<[string, readonly [number, number, number, number], readonly string[]]>([
  ['usual ones', [1, 2, 0.1, 0.2], []],
  ['a free bounce', [0, 2, 0.1, 0.2], ['Bounces cost nothing, so every other address is sent to.']],
  ['nothing that costs', [0, 0, 0, 0], ['Bounces cost nothing, so every other address is sent to.']],
  ['a cheap bounce', [0.001, 2, 0.1, 0.2], ['Bounces cost so little that every other address is sent to.']],
  [
    'a bounce below a held bad address, and a free held good contact',
    [0.001, 2, 0, 0.2],
    ['Bounces cost so little that every other address is sent to.'],
  ],
  [
    'a worthless contact',
    [1, 0, 0.1, 0.2],
    ['A lost contact costs so little that every other address is dropped if there’s enough evidence.'],
  ],
  [
    'a worthless contact, and holding that is free',
    [1, 0, 0, 0],
    ['A lost contact costs so little that every other address is dropped if there’s enough evidence.'],
  ],
  [
    'a dear bounce',
    [1_000, 2, 0.1, 0.2],
    ['Holding costs so little that nearly every other address is held or dropped.'],
  ],
  [
    'a dear bounce, and a free held bad address',
    [1_000, 2, 0.1, 0],
    [
      'Holding costs so little that nearly every other address is held.',
      'Holding a bad address costs nothing, so only findings and rules drop one.',
    ],
  ],
  [
    'a cheap held good contact',
    [1, 2, 0.0001, 0.2],
    ['Holding costs so little that nearly every other address is held or dropped.'],
  ],
  ['a free held good contact', [1, 2, 0, 0.2], ['Holding costs nothing, so every other address is held or dropped.']],
  ['a free held good contact, and a held bad address that costs more than a bounce', [1, 2, 0, 5], []],
  [
    'a free held bad address',
    [1, 2, 0.1, 0],
    ['Holding a bad address costs nothing, so only findings and rules drop one.'],
  ],
  ['a free held bad address, and a contact worth less than holding it', [1, 0.1, 0.2, 0], []],
  [
    'a cheap held bad address',
    [1, 2, 0.1, 0.0001],
    ['Holding a bad address costs so little that only findings and rules drop one.'],
  ],
  [
    'holding that is free',
    [1, 1, 0, 0],
    [
      'Holding costs nothing, so every other address is held.',
      'Holding a bad address costs nothing, so only findings and rules drop one.',
    ],
  ],
  [
    'a dear contact',
    [1, 2_000, 0.1, 0.2],
    ['A lost contact costs so much that only findings and rules drop an address.'],
  ],
])('losses with %s are said to do what they do, for the reason that they do it', (_what, losses, said) => {
  const [bounce, lost, good, bad] = losses;
  expect(extremesOf({ bounce, contact_lost: lost, held_good: good, held_bad: bad }, 'held')).toEqual(said);
});

it('numbers that move are said with what becomes of them before and after', () => {
  expect(moveText({ low: 0.14, high: 0.5, was: 'challenged', is: 'dropped' }).replaceAll('\u00a0', ' ')).toBe(
    'Risks between 14% and 50% were challenged and are dropped if there’s enough evidence from now on.',
  );
});
