import { describe, expect, it } from 'vitest';
import { DependencyError } from '../../../src/kernel/errors.ts';
import { describeError, failureLevel } from '../../../src/kernel/log.ts';

const messageOf = (message: string) => describeError(new Error(message)).message;

describe('the log of an unexpected error holds', () => {
  it.each([
    'ada@example.com',
    'ada＠example.com',
    'ada﹫example.com',
    'ada%40example.com',
    'ada%2540example.com',
    'ada%u0040example.com',
    'ada&#64;example.com',
    'ada&#x40;example.com',
    'ada&commat;example.com',
    'ada&amp;#64;example.com',
    String.raw`ada\u0040example.com`,
    String.raw`ada\u{40}example.com`,
    String.raw`ada\x40example.com`,
    'https://vendor.test/v2?email=ada%40example.com&timeout=4',
    '"ada@example.com",',
  ])('no address: %s', (address) => {
    expect(messageOf(`could not read ${address} (403)`)).toBe('could not read [redacted] (403)');
  });

  it('no part of an address, wherever the message is cut', () => {
    for (let before = 270; before <= 300; before += 1) {
      const message = messageOf(`${'x'.repeat(before)} ada.lovelace@example.com`);
      expect(message, `${before}`).not.toMatch(/ada|lovelace|example/);
      expect(String(message).length).toBeLessThanOrEqual(300);
    }
  });

  it('no parameter of a statement, in its causes either', () => {
    const cause = new Error('quoted ada%40example.com');
    const told = describeError(new Error('Failed query: select $1\nparams: ada@example.com', { cause }));
    expect(JSON.stringify(told)).not.toContain('ada');
    expect(told).toMatchObject({ message: 'Failed query: select $1', cause: 'quoted [redacted]' });
  });

  it('what failed, the innermost cause in a field of its own, and one stack', () => {
    const inner = new TypeError('the connection was refused');
    const between = new DependencyError('postgres', 'Postgres gave no usable answer', { cause: inner });
    const told = describeError(new Error('Failed query: select $1', { cause: between }));
    expect(told).toEqual({
      error: 'Error',
      message: 'Failed query: select $1',
      cause: 'the connection was refused',
      stack: expect.stringMatching(/^ {4}at /),
    });
    expect(JSON.stringify(told).match(/"stack"/g)).toHaveLength(1);
  });

  it.each([
    { of: 'without a message', cause: new RangeError(), said: 'RangeError' },
    { of: 'that is not an error', cause: 'ada@example.com', said: 'string' },
  ])('of a cause $of what it is', ({ cause, said }) => {
    expect(describeError(new Error('outer', { cause })).cause).toBe(said);
  });

  it('what is known where an error is its own cause, or its message is no text', () => {
    const ring = new Error('outer');
    ring.cause = new Error('inner', { cause: ring });
    expect(describeError(ring)).toMatchObject({ message: 'outer', cause: 'inner' });
    expect(failureLevel(ring)).toBe('error');
    expect(describeError(Object.assign(new Error(), { message: { code: 1 } }))).toEqual({ error: 'unreadable' });
  });

  it('all other words', () => {
    const message = 'The vendor answered 404 after 40 ms, 50% of it waiting';
    expect(messageOf(message)).toBe(message);
  });
});
