import { expect, it } from 'vitest';
import { isConnectionId, newConnectionId } from '../../../src/domain/feedback/outcomes.ts';
import { idTimeMs, parseId } from '../../../src/kernel/ids.ts';

const KEY = new Uint8Array(32).fill(7);
const NOW = Date.UTC(2027, 3, 1);

it('an id of a connection is known by its MAC, has the form and the time of any id, and is another one each time', () => {
  const ids = Array.from({ length: 500 }, () => newConnectionId(KEY, NOW));
  for (const id of ids) {
    expect(isConnectionId(KEY, id)).toBe(true);
    expect(parseId('con', id)).toBe(id);
    expect(idTimeMs(id)).toBe(NOW);
  }
  expect(new Set(ids).size).toBe(ids.length);
});

it('is unknown with any one character changed, and under another key', () => {
  const id = newConnectionId(KEY, NOW);
  for (let at = 'con_'.length; at < id.length; at += 1) {
    const changed = parseId('con', id.slice(0, at) + (id[at] === '1' ? '2' : '1') + id.slice(at + 1));
    if (changed !== null) expect(isConnectionId(KEY, changed)).toBe(false);
  }
  expect(isConnectionId(new Uint8Array(32).fill(8), id)).toBe(false);
});
