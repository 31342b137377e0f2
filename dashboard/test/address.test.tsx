import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../app/lib/address.ts';

describe('the page’s address', () => {
  it.each(['7', 'true', 'null', 'a&b=c', 'größe', '"quoted"', '"', '{"a":1}', '[]', ''])(
    'keeps the text %s',
    (text) => {
      expect(parseSearch(stringifySearch({ q: text }))).toEqual({ q: text });
    },
  );

  it('has a number as it is, and takes the quotes off that older links have around it', () => {
    expect(stringifySearch({ version: '7', view: undefined })).toBe('?version=7');
    expect(parseSearch('?version=%227%22')).toEqual({ version: '7' });
    expect(parseSearch('?version=7')).toEqual({ version: '7' });
  });
});
