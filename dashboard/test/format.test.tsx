import { describe, expect, it } from 'vitest';
import { formatAgo, formatInterval, formatPoints, formatShares, plural } from '../app/lib/format.ts';
import { fieldLabel } from '../app/lib/vocabulary.ts';

describe('a text that depends on a count', () => {
  it.each([
    [0, '0 rows are left'],
    [1, '1 row is left'],
    [2, '2 rows are left'],
    [21, '21 rows are left'],
    [12_345, '12,345 rows are left'],
  ])('has the form of %s', (count, text) => {
    expect(plural(count, '# row is left', '# rows are left')).toBe(text);
  });
});

it.each([
  [[0.9995, 0.9999], '>99.9%'],
  [[0.0001, 0.0004], '<0.1%'],
  [[0.021, 0.34], '2% to 34%'],
])('an interval of %s is %s', (interval, text) => {
  expect(formatInterval(interval).replaceAll('\u00a0', ' ')).toBe(text);
});

it.each([
  [
    [0.021, 0.024],
    ['2.1%', '2.4%'],
  ],
  [
    [0.0041, 0.0044],
    ['0.41%', '0.44%'],
  ],
  [
    [0.02, 0.02],
    ['2%', '2%'],
  ],
  [
    [0.31, 0.37],
    ['31%', '37%'],
  ],
])('the shares %s are %s', (shares, texts) => {
  expect(formatShares(shares).map((text) => text.replaceAll('\u00a0', ' '))).toEqual(texts);
});

it.each([
  [0.31, 0.3, '+1 point'],
  [0.3, 0.31, '−1 point'],
  [0.3, 0.325, '−2.5 points'],
  [0.3, 0.3, '0 points'],
])('a share of %f after %f has changed by %s', (now, before, text) => {
  expect(formatPoints(now, before)).toBe(text);
});

it('an age is formatted as every time is', () => {
  expect([20, 1_380, 7_200].map(formatAgo)).toEqual(['20 sec. ago', '23 min. ago', '2 hr. ago']);
});

it.each([
  ['auditLines', 'Audit lines'],
  ['mailReports', 'Mail reports'],
  ['outcomes', 'Outcomes'],
])('the field %s of a report is called %s', (field, text) => {
  expect(fieldLabel(field)).toBe(text);
});
