import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faded } from '../../../src/domain/verification/first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type KnownReport,
  type Levels,
  type LevelUpdate,
  LIST_LEVELS,
  type Mailed,
  type OwnPart,
  type ReportGate,
  type Said,
  type Standing,
} from '../../../src/domain/verification/history.ts';
import { logOddsOf } from '../../../src/domain/verification/history-codec.ts';
import { LevelSweep } from '../../../src/domain/verification/level-sweep.ts';
import { isRefused, levelUpdate } from '../../../src/domain/verification/level-update.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { dayOf, OPEN_GATE, standingOf } from '../../../src/domain/verification/report-gate.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { COUNTED } from '../../support/histories.ts';

const KINDS = ['domain', 'list'] as const;
const WIDTHS = { domain: DOMAIN_LEVELS, list: LIST_LEVELS } as const;
const DAY = 20_000;
const AT = (DAY + 10) * DAY_MS;
const filled = (width: number, value: number): number[] => Array.from({ length: width }, () => value);

/** An address's own word in whole numbers, by how far each report reaches, and a trace of what it heard of the others. */
const WORDS: LevelUpdate = {
  ...COUNTED,
  shown: ({ answers, reports }, reachOf) => {
    if (answers.length + reports.length === 0) return null;
    const reaches = reports.map(reachOf);
    const count = (...all: string[]): number => answers.length + reaches.filter((reach) => all.includes(reach)).length;
    const own = { domain: count('all', 'domain'), list: count('all') };
    const heard = (values: readonly number[] | null): number =>
      values === null
        ? 20
        : (7 + (values[0] ?? Number.NaN) + 2 * (values[1] ?? Number.NaN) + (values[2] ?? Number.NaN)) % 13;
    return (around, now) => {
      const say = (width: number, word: number): number[] =>
        [word, heard(around.domain), heard(around.list), now - AT, ...filled(width, 0)].slice(0, width);
      return {
        domain: say(DOMAIN_LEVELS, own.domain),
        list: say(LIST_LEVELS, own.list),
        counted: standingOf(reports),
        isReported: { domain: reaches.some((reach) => reach !== 'none'), list: reaches.includes('all') },
      };
    };
  },
};
const BY_MODEL = levelUpdate(SEEDED_MODEL);

/** Some sources reach the domain alone; another one's reports are held while most mail to the domain was refused. */
const GATE: ReportGate = {
  reachOf: ({ source }, { host }, mailed, now) => {
    if (now !== AT || host !== 'unknown_business') throw new Error('asked of another time or address');
    if (source === 'near') return 'domain';
    return source === 'held' && mailed !== null && mailed.refused >= mailed.delivered ? 'none' : 'all';
  },
};

interface Known {
  readonly name: string;
  readonly address: AddressHistory;
}
const whole = (width: number): fc.Arbitrary<Int16Array> =>
  fc
    .array(fc.integer({ min: -4, max: 4 }), { minLength: width, maxLength: width })
    .map((all) => Int16Array.from(all, (value) => 256 * value));
/** A part of any age. */
const anyPart: fc.Arbitrary<OwnPart> = fc.record({
  domain: whole(DOMAIN_LEVELS),
  list: whole(LIST_LEVELS),
  at: fc.constantFrom(AT, AT - 120 * DAY_MS, AT - 365 * DAY_MS),
  counted: fc.constantFrom<Standing>(null, 'refused', 'delivered'),
});
/** Few domains and lists, and few times: many are first seen in the same second. A list may have a domain's name. */
const anyKnown: fc.Arbitrary<Known> = fc
  .record({
    name: fc.nat(999).map(String),
    firstSeenAt: fc.constantFrom(0, 0, 5_000, DAY_MS, DAY_MS + 5_000).map((after) => DAY * DAY_MS + after),
    purpose: fc.constantFrom('signup', 'signup', 'outbound'),
    domain: fc.constantFrom('x', 'y'),
    list: fc.constantFrom('x', 'l', null),
    answers: fc.array(
      fc.record({
        provider: fc.constant('kickbox' as const),
        verdict: fc.constantFrom('deliverable', 'undeliverable'),
        catch_all: fc.constant(null),
        at: fc.constant(DAY * DAY_MS),
      }),
      { maxLength: 1 },
    ),
    reports: fc.array(
      fc.record({
        class: fc.constantFrom<KnownReport['class']>('user_unknown', 'delivered', 'full'),
        at: fc.constant(DAY * DAY_MS),
        source: fc.constantFrom('free', 'near', 'held'),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ name, ...of }) => ({
    name,
    address: { ...of, host: 'unknown_business', features: [], proofs: [], part: null },
  }));
const anyAddresses = fc.uniqueArray(anyKnown, { selector: ({ name }) => name, minLength: 1, maxLength: 14 });

/** Lets addresses pass as a sweep does: by groups of domains, each pass over all of a group. */
function swept(
  by: LevelUpdate,
  all: readonly Known[],
  gate: ReportGate = GATE,
  groups: readonly (readonly string[])[] = [['x', 'y']],
) {
  const sweep = new LevelSweep(by, AT, gate);
  const said = new Map<string, Said | null>();
  const ofGroup = groups.map((domains) => all.filter(({ address }) => domains.includes(address.domain)));
  const noteAll = (some: readonly Known[]): void => {
    sweep.begin();
    for (const { name, address } of some) sweep.note(name, address);
  };
  for (const some of ofGroup) {
    noteAll(some);
    for (const { name, address } of some) sweep.addToList(name, address);
  }
  const domains = new Map<string, Levels | null>();
  for (const some of ofGroup) {
    noteAll(some);
    for (const { name, address } of some) sweep.addToDomain(name, address);
    for (const { name, address } of some) said.set(name, sweep.take(name, address));
    for (const name of sweep.names('domain')) domains.set(name, sweep.levels('domain', name));
  }
  const lists = new Map([...sweep.names('list')].map((name) => [name, sweep.levels('list', name)]));
  return { sweep, said, levels: { domain: domains, list: lists } };
}

const inOrder = <T>(all: ReadonlyMap<string, T>): [string, T][] => [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));
const added = (all: readonly (readonly number[])[], width: number): number[] =>
  Array.from({ length: width }, (_, at) => all.reduce((sum, values) => sum + (values[at] ?? 0), 0));
/** As levels are compared: the likeliest at 0. */
const fromTop = (values: readonly number[]): number[] => values.map((value) => value - Math.max(...values));

/** What each address says, worked out for each by itself from all the others. */
function expected(by: LevelUpdate, all: readonly Known[], gate: ReportGate) {
  const isSignup = ({ address }: Known): boolean => address.purpose === 'signup';
  const sameDay = (one: Known, other: Known): boolean =>
    one.address.domain === other.address.domain && dayOf(one.address.firstSeenAt) === dayOf(other.address.firstSeenAt);
  const isBefore = (one: Known, other: Known): boolean =>
    one.address.firstSeenAt < other.address.firstSeenAt ||
    (one.address.firstSeenAt === other.address.firstSeenAt && one.name < other.name);
  const isStopped = (one: Known): boolean =>
    isSignup(one) &&
    all.some((other) => isSignup(other) && isRefused(other.address) && sameDay(one, other) && isBefore(other, one));
  const mailedOf = (domain: string): Mailed => {
    const mine = all.filter(({ address }) => address.domain === domain);
    const standing = (of: Standing): Known[] => mine.filter(({ address }) => standingOf(address.reports) === of);
    const refused = standing('refused');
    const days = new Set(refused.filter(isSignup).map(({ address }) => dayOf(address.firstSeenAt)));
    return {
      refused: refused.filter((one) => !isSignup(one)).length + days.size,
      delivered: standing('delivered').length,
    };
  };
  const speaking = all.flatMap((known) => {
    const { address } = known;
    if (isStopped(known)) return [];
    const mailed = mailedOf(address.domain);
    const about = mailed.refused + mailed.delivered === 0 ? null : mailed;
    const say = by.shown(address, (report) => gate.reachOf(report, address, about, AT));
    return say === null ? [] : [{ ...known, say }];
  });
  type Speaker = (typeof speaking)[number];
  const others = (kind: 'domain' | 'list', of: Speaker): Speaker[] =>
    speaking.filter((one) => one !== of && one.address[kind] === of.address[kind]);
  const aloneList = ({ say }: Speaker): readonly number[] => say({ domain: null, list: null }, AT).list;
  const besideList = (one: Speaker): readonly number[] => {
    const list = one.address.list === null ? null : added(others('list', one).map(aloneList), LIST_LEVELS);
    return one.say({ domain: null, list }, AT).domain;
  };
  const said = speaking.map((one): Known & { readonly said: Said } => {
    const domain = added(others('domain', one).map(besideList), DOMAIN_LEVELS);
    return { ...one, said: { ...one.say({ domain, list: null }, AT), domain: besideList(one) } };
  });
  const levelsOf = (kind: 'domain' | 'list'): Map<string, Omit<Levels, 'values'> & { values: number[] }> => {
    const names = new Set(said.flatMap(({ address }) => address[kind] ?? []));
    return new Map(
      [...names].map((name) => {
        const mine = said.filter(({ address }) => address[kind] === name);
        const stops = all.filter((one) => one.address[kind] === name && isSignup(one) && isRefused(one.address));
        const days = stops.map(({ address }) => dayOf(address.firstSeenAt));
        return [
          name,
          {
            values: fromTop(
              added(
                mine.map((one) => one.said[kind]),
                WIDTHS[kind],
              ),
            ),
            at: AT,
            isReported: mine.some((one) => one.said.isReported[kind]),
            stoppedOn: kind === 'domain' && days.length > 0 ? Math.max(...days) : null,
            ...(kind === 'domain' ? mailedOf(name) : { refused: 0, delivered: 0 }),
          },
        ];
      }),
    );
  };
  return {
    said: new Map(said.map((one) => [one.name, one.said])),
    levels: { domain: levelsOf('domain'), list: levelsOf('list') },
  };
}

function expectValues(found: ArrayLike<number> | undefined, values: ArrayLike<number>, digits = 3): void {
  expect(found).toHaveLength(values.length);
  for (const [at, value] of Array.from(found ?? []).entries())
    expect(value).toBeCloseTo(values[at] ?? Number.NaN, digits);
}

describe('a sweep', () => {
  it.each([
    ['counts, some reports held', WORDS, GATE],
    ['the model’s words, all reports free', BY_MODEL, OPEN_GATE],
    ['the model’s words, some reports held', BY_MODEL, GATE],
  ] as const)('has each address say of its domain and list what it says beside the others: %s', (_, by, gate) => {
    fc.assert(
      fc.property(anyAddresses, (all) => {
        const [found, brute] = [swept(by, all, gate), expected(by, all, gate)];
        for (const { name } of all) {
          const [said, should] = [found.said.get(name) ?? null, brute.said.get(name) ?? null];
          expect(said === null).toBe(should === null);
          if (said === null || should === null) continue;
          const { domain, list, ...rest } = should;
          expect(said).toMatchObject(rest);
          expectValues(said.domain, domain);
          expectValues(said.list, list);
        }
        for (const kind of KINDS) {
          expect([...found.levels[kind].keys()].toSorted()).toEqual([...brute.levels[kind].keys()].toSorted());
          for (const [name, { values, ...others }] of brute.levels[kind]) {
            const { values: sum, ...marks } = found.levels[kind].get(name) ?? { values: undefined };
            expect(marks).toEqual(others);
            expectValues(sum, values);
          }
        }
      }),
    );
  });

  it('finds the same in whatever order addresses and domains come', () => {
    fc.assert(
      fc.property(
        anyAddresses.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        fc.constantFrom([['x'], ['y']], [['y'], ['x']]),
        ([all, shuffled], groups) => {
          const [one, other] = [swept(WORDS, all), swept(WORDS, shuffled, GATE, groups)];
          expect(inOrder(other.said)).toEqual(inOrder(one.said));
          for (const kind of KINDS) expect(inOrder(other.levels[kind])).toEqual(inOrder(one.levels[kind]));
        },
      ),
    );
  });

  it('knows nothing of a domain that another group of domains had', () => {
    const withoutLists = anyAddresses.map((all) =>
      all.map(({ name, address }) => ({ name, address: { ...address, list: null } })),
    );
    fc.assert(
      fc.property(withoutLists, withoutLists, (before, all) => {
        const fresh = new LevelSweep(WORDS, AT, GATE);
        const used = new LevelSweep(WORDS, AT, GATE);
        const pass = (sweep: LevelSweep, some: readonly Known[]) => {
          sweep.begin();
          for (const { name, address } of some) sweep.note(name, address);
          for (const { name, address } of some) sweep.addToDomain(name, address);
          const said = some.map(({ name, address }) => sweep.take(name, address));
          return [said, ['x', 'y'].map((name) => [sweep.levels('domain', name), sweep.rest('domain', name)])];
        };
        pass(used, before);
        expect(pass(used, all)).toEqual(pass(fresh, all));
        expect([...used.names('domain')]).toEqual([...fresh.names('domain')]);
      }),
    );
  });

  it('tells of no name that it has not met', () => {
    const { sweep } = swept(WORDS, []);
    for (const kind of KINDS)
      expect([sweep.levels(kind, 'x'), sweep.rest(kind, 'x'), [...sweep.names(kind)]]).toEqual([null, null, []]);
  });
});

/** Parts of a name, as they are at the time of the sweep. */
const partsAt = (kind: 'domain' | 'list', name: string, all: readonly Known[], parts: readonly (OwnPart | null)[]) =>
  all.flatMap(({ address }, at) => {
    const part = parts[at] ?? null;
    if (part === null || address[kind] !== name) return [];
    const fade = faded(kind, AT - part.at);
    return [logOddsOf(part[kind]).map((value) => value * fade)];
  });
const countedIn = (domain: string, all: readonly Known[], parts: readonly (OwnPart | null)[], of: Standing): number =>
  all.filter(({ address }, at) => address.domain === domain && of !== null && parts[at]?.counted === of).length;

describe('the parts that addresses keep', () => {
  const LONE: AddressHistory = {
    firstSeenAt: DAY * DAY_MS,
    host: 'unknown_business',
    features: [],
    purpose: 'outbound',
    domain: 'x',
    list: 'l',
    answers: [{ provider: 'kickbox', verdict: 'deliverable', catch_all: null, at: DAY * DAY_MS }],
    reports: [],
    proofs: [],
    part: null,
  };
  const anyKept = fc.tuple(anyAddresses, fc.array(fc.option(anyPart, { freq: 4 }), { minLength: 14, maxLength: 14 }));
  const anyChange = fc.option(anyPart, { freq: 2 });
  /** Those that say something, most of them with a part. */
  const taken = ([all, drawn]: [Known[], (OwnPart | null)[]]) => {
    const { sweep, said } = swept(WORDS, all);
    const speaking = all.filter(({ name }) => said.get(name) !== null);
    const parts = drawn.slice(0, speaking.length);
    for (const [at, { address }] of speaking.entries()) sweep.keep(address, parts[at] ?? null);
    return { sweep, speaking, parts };
  };

  it('and what levels have beside them add up to the levels, of each domain and list', () => {
    fc.assert(
      fc.property(anyKept, (drawn) => {
        const { sweep, speaking, parts } = taken(drawn);
        for (const kind of KINDS)
          for (const name of sweep.names(kind)) {
            const [levels, rest] = [sweep.levels(kind, name), sweep.rest(kind, name)];
            const sum = added([...partsAt(kind, name, speaking, parts), [...(rest?.values ?? [])]], WIDTHS[kind]);
            // Where nothing is kept beside the parts, they are off by .02 at most.
            expectValues(levels?.values, fromTop(sum), rest === null ? 1 : 3);
            const left = (of: 'refused' | 'delivered'): number =>
              (levels?.[of] ?? Number.NaN) - (kind === 'domain' ? countedIn(name, speaking, parts, of) : 0);
            const { values, ...counts } = rest ?? { values: [0], at: AT, refused: 0, delivered: 0 };
            expect(Math.max(...values)).toBe(0);
            expect(counts).toEqual({ at: AT, refused: left('refused'), delivered: left('delivered') });
          }
      }),
    );
  });

  it('leave, taken out again, what levels have beside them', () => {
    fc.assert(
      fc.property(anyKept, (drawn) => {
        const { sweep, speaking, parts } = taken(drawn);
        for (const [at, { address }] of speaking.entries()) sweep.change(address, parts[at] ?? null, null);
        for (const kind of KINDS)
          for (const name of sweep.names(kind)) {
            const [levels, rest] = [sweep.levels(kind, name), sweep.rest(kind, name)];
            if (rest !== null) expectValues(levels?.values, rest.values);
            for (const of of ['refused', 'delivered'] as const)
              expect(levels?.[of]).toBeGreaterThanOrEqual(Math.max(0, rest?.[of] ?? 0));
          }
      }),
    );
  });

  it('replace one another in the levels, there and back', () => {
    fc.assert(
      fc.property(anyKept, fc.nat(13), anyChange, anyChange, (drawn, which, old, part) => {
        const { sweep, speaking } = taken(drawn);
        fc.pre(speaking.length > 0);
        const known = speaking[which % speaking.length];
        if (known === undefined) throw new Error('one that speaks');
        const { address } = known;
        const read = (kind: 'domain' | 'list') => {
          const name = address[kind];
          return name === null ? null : sweep.levels(kind, name);
        };
        const names = KINDS.map((kind) => [...sweep.names(kind)]);
        // A count that cannot be taken out is not: no count is below none.
        sweep.change(address, null, old);
        const before = { domain: read('domain'), list: read('list') };
        sweep.change(address, old, part);
        const isMarked = part !== null && address.reports.length > 0;
        for (const kind of KINDS) {
          const [was, is] = [before[kind], read(kind)];
          if (was === null || is === null) continue;
          const name = address[kind] ?? '';
          const minus = partsAt(kind, name, [known], [old]).map((values) => values.map((value) => -value));
          const moved = added([[...was.values], ...minus, ...partsAt(kind, name, [known], [part])], WIDTHS[kind]);
          const delta = (of: Standing): number =>
            kind === 'domain' ? Number(part?.counted === of) - Number(old?.counted === of) : 0;
          const { values, ...marks } = is;
          expectValues(values, fromTop(moved));
          expect(marks).toEqual({
            at: AT,
            isReported: was.isReported || isMarked,
            stoppedOn: was.stoppedOn,
            refused: was.refused + delta('refused'),
            delivered: was.delivered + delta('delivered'),
          });
        }
        sweep.change(address, part, old);
        for (const kind of KINDS) {
          const was = before[kind];
          if (was === null) continue;
          const { values, isReported, ...marks } = read(kind) ?? was;
          expectValues(values, was.values);
          expect({ ...marks, values: was.values, isReported: was.isReported }).toEqual(was);
          expect(isReported || !was.isReported).toBe(true);
        }
        expect(KINDS.map((kind) => [...sweep.names(kind)])).toEqual(names);
      }),
    );
  });

  const said = (counted: Standing): OwnPart => ({
    domain: new Int16Array(DOMAIN_LEVELS),
    list: new Int16Array(LIST_LEVELS),
    at: AT,
    counted,
  });

  it('take no count below none', () => {
    const { sweep } = swept(WORDS, [{ name: 'a', address: LONE }]);
    sweep.change(LONE, said('refused'), said('delivered'));
    expect(sweep.levels('domain', 'x')).toMatchObject({ refused: 0, delivered: 1 });
  });

  it('mark levels as moved by a report where their address has one, and only where they are put in', () => {
    const reports = [{ class: 'delivered', at: AT, source: 'free' }] as const;
    for (const [address, part, isReported] of [
      [LONE, said(null), false],
      [{ ...LONE, reports }, null, false],
      [{ ...LONE, reports }, said(null), true],
    ] as const) {
      const { sweep } = swept(WORDS, [{ name: 'a', address }], { reachOf: () => 'none' });
      sweep.change(address, said(null), part);
      const marks = [sweep.levels('domain', 'x'), sweep.levels('list', 'l')].map((levels) => levels?.isReported);
      expect(marks).toEqual([isReported, isReported]);
    }
  });

  it.each([
    ['as much as a part may be off by', 0.02, null, null],
    ['more', 0.021, null, 0.021],
    ['nothing but a refusal', 0, 'refused', 0],
    ['nothing but a delivery', 0, 'delivered', 0],
  ] as const)('leave a rest beside them where levels have %s', (_, off, counted, range) => {
    // Every level is far up: only what they say against one another counts.
    const flat = (width: number): number[] => filled(width, off === 0.02 ? 0 : 8);
    const by: LevelUpdate = {
      ...COUNTED,
      shown: () => () => ({
        domain: flat(DOMAIN_LEVELS).map((value, at) => value + (at === 3 ? off : 0)),
        list: flat(LIST_LEVELS),
        counted,
        isReported: { domain: false, list: false },
      }),
    };
    const report = { class: counted === 'refused' ? 'user_unknown' : 'delivered', at: AT, source: 'free' } as const;
    const address = { ...LONE, reports: counted === null ? [] : [report] };
    const { sweep } = swept(by, [{ name: 'a', address }], OPEN_GATE);
    const rest = sweep.rest('domain', 'x');
    if (range === null) expect(rest).toBeNull();
    else {
      expect(Math.min(...(rest?.values ?? []))).toBeCloseTo(-range, 5);
      expect(rest).toMatchObject({
        at: AT,
        refused: counted === 'refused' ? 1 : 0,
        delivered: counted === 'delivered' ? 1 : 0,
      });
    }
    expect(sweep.rest('list', 'l')).toBeNull();
  });
});
