import { describe, expect, it } from 'vitest';
import { NOTHING_KNOWN } from '../../../src/domain/answer/account.ts';
import { knownFrom, newestWord } from '../../../src/domain/answer/prepared.ts';

describe('what is known of an address', () => {
  it('is empty where the account has no history of it', () => {
    expect(knownFrom(null, null, 0)).toEqual(NOTHING_KNOWN);
  });
});

describe('the newest word on whether a domain accepts everything', () => {
  const said = (at: number, word: boolean | null) => ({ at, ...(word !== null && { catch_all: word }) });

  it.each<[what: string, answers: ReturnType<typeof said>[], word: boolean | null]>([
    ['of none: nothing', [], null],
    ['of answers that do not say it: nothing', [said(1, null), said(2, null)], null],
    ['of a yes that a no follows: no', [said(1, true), said(2, false)], false],
    ['of a no that a yes follows: yes', [said(1, false), said(2, true)], true],
    ['of answers out of order: the newest', [said(2, false), said(3, true), said(1, false)], true],
    ['of answers from the newest to the oldest: the newest', [said(3, false), said(2, true), said(1, true)], false],
    ['of an answer that a silent one follows: the one that speaks', [said(1, true), said(2, null)], true],
  ])('%s', (_, answers, word) => {
    expect(newestWord(answers)).toBe(word);
  });
});
