import { describe, expect, it } from 'vitest';
import { parseCron } from '../../scripts/stack/cron.ts';

/** 2026-03-01 is a Sunday. */
const at = (text: string) => new Date(`2026-03-${text}:00Z`);

describe('a cron expression', () => {
  it.each([
    { cron: '* * * * *', due: ['01T00:00', '31T23:59'], not: [] },
    { cron: '*/5 * * * *', due: ['01T00:00', '01T00:55'], not: ['01T00:01', '01T00:59'] },
    { cron: '17 3 * * *', due: ['01T03:17', '02T03:17'], not: ['01T03:16', '01T15:17'] },
    { cron: '10-50/20 * * * *', due: ['01T00:10', '01T00:30', '01T00:50'], not: ['01T00:00', '01T00:40'] },
    { cron: '40/10 * * * *', due: ['01T00:40', '01T00:50'], not: ['01T00:30'] },
    { cron: '0 0,12 * * *', due: ['01T00:00', '01T12:00'], not: ['01T06:00'] },
    { cron: '0 0 1 * *', due: ['01T00:00'], not: ['02T00:00'] },
    { cron: '0 0 * MAR *', due: ['01T00:00'], not: [] },
    { cron: '0 0 * 4 *', due: [], not: ['01T00:00'] },
    { cron: '0 0 * * 1', due: ['01T00:00'], not: ['02T00:00'] },
    { cron: '0 0 * * MON-FRI', due: ['02T00:00', '06T00:00'], not: ['01T00:00', '07T00:00'] },
    { cron: '0 0 15 * SUN', due: ['01T00:00', '15T00:00'], not: ['16T00:00'] },
  ])('$cron is due when Cloudflare would fire it', ({ cron, due, not }) => {
    const isDue = parseCron(cron);
    expect(due.filter((time) => !isDue(at(time)))).toEqual([]);
    expect(not.filter((time) => isDue(at(time)))).toEqual([]);
  });

  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * * 0',
    '*/0 * * * *',
    '5-1 * * * *',
    '* * L * *',
    'x * * * *',
  ])('%j is refused by name', (cron) => {
    expect(() => parseCron(cron)).toThrow(`"${cron}"`);
  });
});
