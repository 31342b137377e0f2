import { describe, expect, it } from 'vitest';
import { packedRows } from '../../../src/kernel/encoding.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the rows of a packed table', () => {
  it('are the lines behind its form, in any script', () => {
    expect(packedRows(bytes('names 1\nada augusta\n陳=chen'), 'names 1')).toEqual(['ada augusta', '陳=chen']);
  });

  it.each(['', 'names 1', 'names 2\nada', 'names 10\nada', 'ada\nnames 1'])(
    'of another form are refused: %j',
    (text) => {
      expect(() => packedRows(bytes(text), 'names 1')).toThrow('names 1: not a table of this form');
    },
  );
});
