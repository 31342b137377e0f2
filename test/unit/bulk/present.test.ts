import { describe, expect, it } from 'vitest';
import { standingOf } from '../../../src/domain/bulk/present.ts';
import { T0 } from './jobs.ts';

describe('what can be done with a job that has ended', () => {
  it.each([
    ['done', null, 'it has ended, and its results can be downloaded'],
    ['cancelled', null, 'it has ended, and its results can be downloaded'],
    ['failed', null, 'its file could not be read; the next try takes a new job'],
    ['done', T0, 'its files are gone; the next try takes a new job'],
    ['cancelled', T0, 'its files are gone; the next try takes a new job'],
    ['failed', T0, 'its files are gone; the next try takes a new job'],
    ['expired', T0, 'its 7 days are over; the next try takes a new job'],
  ] as const)('%s, files deleted at %s', (state, filesDeletedAt, standing) => {
    expect(standingOf({ state, filesDeletedAt })).toBe(`The job is \`${state}\`: ${standing}.`);
  });
});
