import { it } from 'vitest';
import { eraseBesideTraffic } from '../support/erasures-beside-traffic.ts';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;

it(
  'erasures beside live traffic change no counter, and no number of another address by more than .001',
  () => eraseBesideTraffic(service, 20),
  120_000,
);
