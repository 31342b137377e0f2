import { expect, it } from 'vitest';
import { eraseBesideTraffic } from '../support/erasures-beside-traffic.ts';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;

it(
  'erasures beside live traffic change no counter, and no number of another address by more than .001',
  async () => expect(Math.max(...(await eraseBesideTraffic(service, 20)))).toBeLessThanOrEqual(0.001),
  120_000,
);
