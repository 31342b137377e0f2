import { expect, it } from 'vitest';
import { eraseBesideTraffic } from '../support/erasures-beside-traffic.ts';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;

it(
  'erasures beside live traffic change no counter, and the number of another address by what the erased had shown alone',
  async () => expect(Math.max(...(await eraseBesideTraffic(service, 20)))).toBeLessThanOrEqual(0.01),
  120_000,
);
