import type { Purpose } from '../../../src/contract/vocabulary.ts';
import type { HostClass } from '../../../src/domain/belief/host-class.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import type { ProviderId } from '../../../src/domain/belief/provider.ts';
import { SERVICE_LOSSES, type Stakes, stakesOf } from '../../../src/domain/router/losses.ts';
import { type Askable, BILLS_UNKNOWN } from '../../../src/domain/router/provider-health.ts';
import type { RouteInput } from '../../../src/domain/router/router.ts';
import { baselineWith } from '../../support/beliefs.ts';

export const HOSTS = Object.keys(MODEL.prior) as HostClass[];

const HEALTHY = { typicalMs: 0, latencyMs: 0, failureRate: 0, open: false };

/** By default the provider answers at once and never fails. */
export const askable = (id: ProviderId, priceMicros: number, health: Partial<Askable['health']> = {}): Askable => ({
  id,
  priceMicros,
  billsUnknown: BILLS_UNKNOWN[id],
  health: { ...HEALTHY, ...health },
});

/** The service's own losses. */
export const stakesFor = (purpose: Purpose): Stakes => stakesOf(SERVICE_LOSSES, purpose);

export const PLENTY = { costMicros: 1_000_000, timeMs: 60_000 };

/** A first step about an address of which nothing is known, at a business on Google Workspace. */
export const INPUT: RouteInput = {
  ...baselineWith(MODEL, 'google_business', []),
  stakes: stakesFor('outbound'),
  isFile: false,
  isCatchAll: false,
  isRuled: false,
  warning: null,
  providers: [],
  asked: new Set(),
  left: PLENTY,
};
