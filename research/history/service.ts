import { FOLDS } from '../../src/domain/calibration/pattern.ts';
import type { FitRow } from '../../src/domain/calibration/row-counts.ts';
import { type KnownAnswer, newestOfEach } from '../../src/domain/belief/facts.ts';
import { usedAnswers } from '../../src/domain/verification/answer.ts';
import { type FirstStateInput, firstState } from '../../src/domain/verification/first-state.ts';
import { groundsFrom } from '../../src/domain/router/recommend.ts';
import type {
  AddressFacts,
  DeliveryReport,
  LifeClass,
  Observation,
  ObservationContext,
} from '../../src/domain/belief/facts.ts';
import type { Levels } from '../../src/domain/verification/history.ts';
import { sourceTag } from '../../src/domain/belief/names.ts';
import { withLearnt } from '../../src/domain/verification/history-merge.ts';
import { LevelSweep, keptPart } from '../../src/domain/verification/level-sweep.ts';
import { levelUpdate } from '../../src/domain/verification/level-update.ts';
import { SERVICE_LOSSES, stakesOf } from '../../src/domain/router/losses.ts';
import { MODEL, type Model } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import type { ProviderId } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import type { Askable } from '../../src/domain/router/provider-terms.ts';
import { recommend } from '../../src/domain/router/recommend.ts';
import { sayingOf } from '../../src/domain/belief/facts.ts';
import { ReportTallies, dayOf } from '../../src/domain/belief/trust.ts';
import { route } from '../../src/domain/router/router.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { seedOf } from '../../test/support/seeded-random.ts';
import type { Inquiry, Judge } from './judge.ts';
import { VENDOR_IDS } from './kinds.ts';
import type { Visit, WorldAddress, WorldDomain } from './lives.ts';
import { ASKABLE } from './money.ts';
import { CLASSES, type World, type WorldList } from './world.ts';

/** The first day of every world. */
const BEGIN_MS = Date.UTC(2026, 0, 1);
const msOf = (days: number): number => BEGIN_MS + Math.round(days * DAY_MS);

const PROVIDERS: readonly Askable[] = ASKABLE.map(({ id, price, seconds, billsUnknown }) => ({
  id: id as ProviderId,
  priceMicros: Math.round(price * 1e6),
  billsUnknown,
  health: { typicalMs: seconds * 1e3, latencyMs: seconds * 1e3, failureRate: 0, open: false },
}));
const UNLIMITED = { costMicros: Number.MAX_SAFE_INTEGER, timeMs: Number.MAX_SAFE_INTEGER };
const LIFE: readonly LifeClass[] = ['confirmed', 'paid'];

const named = (index: number): string => index.toString(16).padStart(32, '0');

/** What a night makes of all that the account knows: the model in force from then on. */
export type Fitting = (rows: readonly FitRow[], now: number) => Model;

/** A month's reports change a fit little. */
const FITTED_EACH = 30;

/** The service sweeps each night. What a night changes is little, and takes long to work out here. */
const SWEPT_EACH = 10;

/** The service as it is now, with what an organisation's object keeps held in memory. */
export function service(world: World, fitting: Fitting = () => MODEL): Judge {
  const update = levelUpdate(MODEL);
  const tallies = new ReportTallies([]);
  let model = MODEL;
  const addresses = new Map<WorldAddress, AddressFacts>();
  const reports = new Map<WorldAddress, DeliveryReport[]>();
  const domains = new Map<WorldDomain, Levels | null>();
  const lists = new Map<WorldList, Levels | null>();

  const featuresOf = ({ features }: WorldAddress) =>
    features.flatMap((at) => {
      const row = world.features[at];
      return row === undefined ? [] : [row.feature];
    });
  const sightOf = ({ address, list, at }: Visit, now: number): ObservationContext => ({
    address: named(address.index),
    domain: named(address.domain.index),
    list: named(list.index),
    at: Math.min(now, msOf(at)),
    host: address.domain.host.host,
    features: featuresOf(address),
    purpose: list.purpose,
  });
  const listNamed = (name: string | null): WorldList | undefined =>
    world.lists.find(({ index }) => named(index) === name);

  function learn({ address }: Visit, learnt: Observation, now: number): void {
    const known = addresses.get(address) ?? null;
    if (learnt.report !== null) reports.set(address, [...(reports.get(address) ?? []), learnt.report]);
    const merged = withLearnt(known, learnt, learnt.report === null ? null : (reports.get(address) ?? []));
    const list = listNamed(merged.list);
    const around = { domain: domains.get(address.domain) ?? null, list: (list && lists.get(list)) ?? null };
    const { part, ...after } = update.learn(merged, around, now, learnt.sight, tallies);
    domains.set(address.domain, after.domain);
    if (list !== undefined) lists.set(list, after.list);
    addresses.set(address, { ...merged, part });
  }

  function sweep(now: number): void {
    const sums = new LevelSweep(update, now, tallies);
    const each = (pass: (name: string, address: AddressFacts, of: WorldAddress) => void): void => {
      for (const [of, address] of addresses) pass(named(of.index), address, of);
    };
    each((name, address) => sums.note(name, address));
    each((name, address) => sums.addToList(name, address));
    each((name, address) => sums.addToDomain(name, address));
    each((name, address, of) => {
      const part = keptPart(address.part, sums.take(name, address), now);
      if (part !== address.part) addresses.set(of, { ...address, part });
    });
    for (const domain of domains.keys()) domains.set(domain, sums.levels('domain', named(domain.index)));
    for (const list of lists.keys()) lists.set(list, sums.levels('list', named(list.index)));
  }

  const inquire = (visit: Visit): Inquiry => {
    const { address, list } = visit;
    const now = msOf(visit.at);
    const own = addresses.get(address) ?? null;
    const { host } = address.domain.host;
    const features = featuresOf(address);
    const stakes = stakesOf(SERVICE_LOSSES, list.purpose);
    const known = usedAnswers(own?.answers ?? [], now);
    const seen: FirstStateInput = {
      host,
      features,
      purpose: list.purpose,
      acceptsAllOdds: 1,
      around: {
        domain: domains.get(address.domain) ?? null,
        list: lists.get(listNamed(own?.list ?? null) ?? list) ?? null,
      },
      own: own?.part ?? null,
      isOwnList: own !== null,
      now,
    };
    const first = firstState(model, seen);
    const fresh: KnownAnswer[] = [];
    const input = () => ({
      model,
      host,
      features,
      first,
      answers: newestOfEach([...known, ...fresh]),
      reports: own?.reports ?? [],
      proofs: own?.proofs ?? [],
      now,
    });
    return {
      belief: () => believe(input()),
      next() {
        const asked = new Set(fresh.map(({ provider }) => provider));
        const { choice } = route({ ...input(), stakes, providers: PROVIDERS, asked, left: UNLIMITED });
        return choice === 'stop' ? null : VENDOR_IDS.findIndex((id) => id === choice);
      },
      told(vendor, verdict) {
        const [provider, said] = [VENDOR_IDS[vendor], VERDICTS[verdict]];
        if (provider === undefined || said === undefined) throw new Error('no such answer');
        const catchAll = said === 'catch_all' ? true : null;
        fresh.push({ provider, verdict: said, catch_all: catchAll, at: now });
      },
      action() {
        const given = input();
        const said = recommend(believe(given), stakes, groundsFrom(given.answers, given.reports, features), false);
        return said === 'challenge' ? 'hold' : said;
      },
      end() {
        if (fresh.length > 0)
          learn(visit, { sight: sightOf(visit, now), answers: fresh, report: null, proof: null }, now);
      },
    };
  };

  return {
    inquire,
    report(visit, kind, source, at) {
      const now = msOf(at);
      const word = CLASSES[kind];
      if (word === undefined) throw new Error('no such report');
      const report: DeliveryReport = {
        class: word,
        at: msOf(visit.at),
        of: `${visit.address.index} ${visit.number}`,
        source,
      };
      const saying = sayingOf(report);
      if (saying !== null) {
        const { host } = visit.address.domain.host;
        const tally = { source: sourceTag(source), host, day: dayOf(report.at), delivered: 0, refused: 0, [saying]: 1 };
        tallies.add(tally);
      }
      learn(visit, { sight: sightOf(visit, now), answers: [], report, proof: null }, now);
    },
    proof(visit, kind, at) {
      const now = msOf(at);
      const proof = { class: LIFE[kind] ?? 'confirmed', at: now };
      learn(visit, { sight: sightOf(visit, now), answers: [], report: null, proof }, now);
    },
    night(day) {
      if (day % SWEPT_EACH === 0) sweep(msOf(day));
      if (day % FITTED_EACH !== 0) return;
      const rows = [...addresses].map(([{ domain, index }, address]): FitRow => {
        const list = listNamed(address.list);
        const around = { domain: domains.get(domain) ?? null, list: (list && lists.get(list)) ?? null };
        return { fold: seedOf(index) % FOLDS, address, around };
      });
      model = fitting(rows, msOf(day));
    },
  };
}
