import { expect, test } from 'vitest';

import { maskAddress, parseAddress } from '../../../src/domain/address/parse.ts';

test.each([
  ['grace@navy.example', 'g•••@navy.example', 'first character, dots, domain'],
  ['g@navy.example', 'g•••@navy.example', 'a short name looks like a long one'],
  ['Grace@Navy.Example', 'g•••@navy.example', 'lower case, however it is typed'],
  ['"Grace"@navy.example', 'g•••@navy.example', 'without quotes that it does not need'],
  ['E\u0301@navy.example', 'é•••@navy.example', 'one code point, however the accent is typed'],
  ['🐙ink@navy.example', '🐙•••@navy.example', 'a whole code point, never half a pair'],
  ['e\u0301va@navy.example', 'é•••@navy.example', 'with its accent'],
  ['"grace hopper"@navy.example', '"•••@navy.example', 'a quote gives nothing away'],
  ['grace@bücher.example', 'g•••@xn--bcher-kva.example', 'A-labels: a look-alike domain stays visible'],
])('%j is shown as %j (%s)', (text, display) => {
  const parsed = parseAddress(text);
  expect(parsed.ok && maskAddress(parsed.address)).toBe(display);
});
