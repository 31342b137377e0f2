import type { DeliveryReport, LifeClass, ObservationContext } from '../../src/domain/belief/facts.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { seedOf } from '../../test/support/seeded-random.ts';
import { ModelAccount } from './account.ts';
import type { Inquiry, Judge } from './judge.ts';
import { VENDOR_IDS } from './kinds.ts';
import type { Visit } from './lives.ts';
import { askable } from './money.ts';
import { CLASSES, type World } from './world.ts';

/** The first day of every world. */
const BEGIN_MS = Date.UTC(2026, 0, 1);
const msOf = (days: number): number => BEGIN_MS + Math.round(days * DAY_MS);

const PROVIDERS = askable(VENDOR_IDS);
const LIFE: readonly LifeClass[] = ['confirmed', 'paid'];
/** Days between recomputations of groups: a night changes little, and takes long here. */
const RECOMPUTED_EACH = 10;

/** Like a hash: its first digits distinguish addresses. */
const hashed = (kind: number, index: number): string =>
  seedOf(kind, index).toString(16).padStart(8, '0') + index.toString(16).padStart(24, '0');

/** The service in a world. */
export function service(world: World, account = new ModelAccount()): Judge {
  const contextOf = ({ address, list, at }: Visit, now: number): ObservationContext => ({
    address: hashed(1, address.index),
    domain: hashed(2, address.domain.index),
    list: hashed(3, list.index),
    at: Math.min(now, msOf(at)),
    host: address.domain.host.host,
    features: address.features.flatMap((place) => world.features[place]?.feature ?? []),
    purpose: list.purpose,
  });
  const inquire = (visit: Visit): Inquiry => {
    const now = msOf(visit.at);
    const look = account.look(contextOf(visit, now), PROVIDERS);
    return {
      belief: () => look.belief(),
      next() {
        const choice = look.next();
        return choice === 'stop' ? null : VENDOR_IDS.findIndex((id) => id === choice);
      },
      told(vendor, verdict) {
        const [provider, said] = [VENDOR_IDS[vendor], VERDICTS[verdict]];
        if (provider === undefined || said === undefined) throw new Error('no such answer');
        look.told({ provider, verdict: said, ...(said === 'catch_all' && { catch_all: true }) });
      },
      action() {
        const said = look.recommendation();
        return said === 'challenge' ? 'hold' : said;
      },
      end: () => look.end(),
    };
  };
  return {
    inquire,
    report(visit, kind, source, at) {
      const word = CLASSES[kind];
      if (word === undefined) throw new Error('no such report');
      const of = `${visit.address.index} ${visit.number}`;
      const report: DeliveryReport = { class: word, at: msOf(visit.at), of, source };
      account.learn({ context: contextOf(visit, msOf(at)), answers: [], report, proof: null }, msOf(at));
    },
    proof(visit, kind, at) {
      const proof = { class: LIFE[kind] ?? 'confirmed', at: msOf(at) };
      account.learn({ context: contextOf(visit, msOf(at)), answers: [], report: null, proof }, msOf(at));
    },
    night(day) {
      if (day % RECOMPUTED_EACH === 0) account.recompute(msOf(day));
    },
  };
}
