import { expect, it } from 'vitest';
import { eraseBesideTraffic } from '../support/erasures-beside-traffic.ts';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;

it(
  '1,000 erasures beside live traffic change no counter, and the number of another address by what the erased had shown alone',
  async () => expect(Math.max(...(await eraseBesideTraffic(service, 1_000)))).toBeLessThanOrEqual(0.1),
  1_200_000,
);
