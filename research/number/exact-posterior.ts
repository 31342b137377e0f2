import type { PerAnswer } from '../../src/domain/belief/posterior.ts';
import type { WorldAddress } from './lives.ts';
import { firstRate, fullShare, gridOf, type WorldDomain } from './mailbox.ts';
import { FULL, GONE, LIVES, type Side, STATES, type World, type WorldList } from './world.ts';

const YEAR = 365;
const SERVER_ANSWERS = 4;
/** Cells of one pair (catch-all, initial state): by state and the server's answer. */
const SIZE = STATES * SERVER_ANSWERS;

/** An account's facts about an address, by time. */
export type Fact =
  | { readonly kind: 'answer'; readonly at: number; readonly vendor: number; readonly verdict: number }
  | { readonly kind: 'report'; readonly at: number; readonly class: number }
  | { readonly kind: 'proof'; readonly at: number; readonly class: number };

interface Known {
  readonly facts: Fact[];
  /** [catch-all][first state bounces]: likelihood of the facts. */
  likelihood: Float64Array;
  /** Log-odds that the address adds to its domain's levels, and to its list's. */
  readonly toDomain: Float64Array;
  readonly toList: Float64Array;
}

/** Joint with the facts, adding up to 1: mail bounces or lands, by the server's answer. */
export interface Masses {
  readonly bounce: PerAnswer;
  readonly land: PerAnswer;
  readonly probability: number;
}

/** e^(rates × years) of a small matrix. */
function exponential(rates: readonly number[], size: number, years: number): Float64Array<ArrayBuffer> {
  let largest = 0;
  for (const rate of rates) largest = Math.max(largest, Math.abs(rate * years));
  const halvings = Math.max(0, Math.ceil(Math.log2(largest + 1e-12)) + 3);
  const scale = years / 2 ** halvings;
  let power = new Float64Array(size * size);
  for (let at = 0; at < size; at += 1) power[at * size + at] = 1;
  let sum = power.slice();
  const times = (one: Float64Array, other: ArrayLike<number>, factor: number): Float64Array<ArrayBuffer> => {
    const product = new Float64Array(size * size);
    for (let row = 0; row < size; row += 1)
      for (let column = 0; column < size; column += 1) {
        let total = 0;
        for (let at = 0; at < size; at += 1) total += (one[row * size + at] ?? 0) * (other[at * size + column] ?? 0);
        product[row * size + column] = total * factor;
      }
    return product;
  };
  for (let term = 1; term <= 8; term += 1) {
    power = times(power, rates, scale / term);
    sum = sum.map((value, at) => value + (power[at] ?? 0));
  }
  for (let left = halvings; left > 0; left -= 1) sum = times(sum, sum, 1);
  return sum;
}

/** The transition over a time span: P(state after | state before), and the part in which the server's answer stays. */
interface Step {
  readonly all: Float64Array;
  readonly same: Float64Array;
}

/**
 * The exact posterior of a world, given its parameters: every address is filtered forward over catch-all, mailbox and server's
 * answer; domains and lists are enumerated level by level. What addresses say to each other by way of both is passed on until it
 * changes little: exact where domains and lists form no circle, and near it because lists are long.
 */
export class ExactPosterior {
  private readonly known = new Map<WorldAddress, Known>();
  private readonly domains = new Map<WorldDomain, Float64Array>();
  private readonly lists = new Map<WorldList, Float64Array>();
  private readonly rates = new Map<string, Float64Array>();
  private readonly steps = new Map<string, Step>();

  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  add(address: WorldAddress, facts: readonly Fact[]): void {
    if (facts.length === 0) return;
    const known = this.known.get(address) ?? this.newly(address);
    known.facts.push(...facts);
    known.facts.sort((one, other) => one.at - other.at);
    known.likelihood = this.likelihoodOf(address, known.facts);
    this.tell(address, known);
  }

  /** One round of messages from every address to its domain and its list. */
  sweep(): void {
    for (const [address, known] of this.known) this.tell(address, known);
  }

  /** @param at the time that is asked about, no earlier than any fact */
  posterior(address: WorldAddress, at: number): Masses {
    const facts = this.known.get(address)?.facts ?? [];
    const filtered = this.filtered(address, facts, Math.max(at, facts.at(-1)?.at ?? at));
    const prior = this.firstState(address);
    const [bounce, land] = [new Float64Array(SERVER_ANSWERS), new Float64Array(SERVER_ANSWERS)];
    let total = 0;
    for (let cell = 0; cell < 4; cell += 1) {
      const weight = prior[cell] ?? 0;
      for (let state = 0; state < STATES; state += 1)
        for (let answer = 0; answer < SERVER_ANSWERS; answer += 1) {
          const mass = weight * (filtered[cell * SIZE + state * SERVER_ANSWERS + answer] ?? 0);
          const into = state === GONE ? bounce : land;
          into[answer] = (into[answer] ?? 0) + mass;
          total += mass;
        }
    }
    const shares = (of: Float64Array): PerAnswer => [
      (of[0] ?? 0) / total,
      (of[1] ?? 0) / total,
      (of[2] ?? 0) / total,
      (of[3] ?? 0) / total,
    ];
    const bounces = shares(bounce);
    return { bounce: bounces, land: shares(land), probability: bounces.reduce((sum, mass) => sum + mass, 0) };
  }

  private newly(address: WorldAddress): Known {
    const { domains, lists } = gridOf(this.world, address.domain.host);
    const known: Known = {
      facts: [],
      likelihood: new Float64Array(4).fill(1),
      toDomain: new Float64Array(2 * (domains.length + 1)),
      toList: new Float64Array(lists.length),
    };
    this.known.set(address, known);
    return known;
  }

  /** [catch-all][level of the domain][level of the list]: chance that the first state bounces. */
  private ratesOf({ domain: { host }, offset }: WorldAddress): Float64Array {
    const name = `${host.host} ${offset}`;
    const found = this.rates.get(name);
    if (found !== undefined) return found;
    const { domains, lists } = gridOf(this.world, host);
    const levels = domains.length + 1;
    const rates = new Float64Array(2 * levels * lists.length);
    for (let c = 0; c < 2; c += 1)
      for (let k = 0; k < levels; k += 1)
        for (let g = 0; g < lists.length; g += 1)
          rates[(c * levels + k) * lists.length + g] = firstRate(
            host,
            c as Side,
            k === domains.length,
            offset,
            (domains[k] ?? 0) + (lists[g] ?? 0),
          );
    this.rates.set(name, rates);
    return rates;
  }

  /** Shares of a domain's levels, [catch-all][level]: by all that is known, but for the address's own part. */
  private domainShares({ domain }: WorldAddress, own: Known | undefined): Float64Array {
    const { domainShares } = gridOf(this.world, domain.host);
    const { acceptsAll, deadShare } = domain.host;
    const levels = domainShares.length + 1;
    const heard = this.domains.get(domain);
    const logs = new Float64Array(2 * levels);
    let most = -Infinity;
    for (let at = 0; at < logs.length; at += 1) {
      logs[at] = (heard?.[at] ?? 0) - (own?.toDomain[at] ?? 0);
      most = Math.max(most, logs[at] ?? 0);
    }
    let total = 0;
    for (let at = 0; at < logs.length; at += 1) {
      const k = at % levels;
      const share =
        (at < levels ? 1 - acceptsAll : acceptsAll) *
        (k === levels - 1 ? deadShare : (1 - deadShare) * (domainShares[k] ?? 0));
      logs[at] = share * Math.exp((logs[at] ?? 0) - most);
      total += logs[at] ?? 0;
    }
    return logs.map((value) => value / total);
  }

  private listShares({ list, domain }: WorldAddress, own: Known | undefined): Float64Array {
    const { listShares } = gridOf(this.world, domain.host);
    const heard = this.lists.get(list);
    const logs = listShares.map((_, g) => (heard?.[g] ?? 0) - (own?.toList[g] ?? 0));
    const most = logs.reduce((one, other) => Math.max(one, other), -Infinity);
    const weights = listShares.map((share, g) => share * Math.exp((logs[g] ?? 0) - most));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  }

  /** [catch-all][first state bounces]: what neighbours and the address itself show, before any fact about it. */
  private firstState(address: WorldAddress): Float64Array {
    const own = this.known.get(address);
    const [ofDomain, ofList] = [this.domainShares(address, own), this.listShares(address, own)];
    const rates = this.ratesOf(address);
    const first = new Float64Array(4);
    for (let at = 0; at < ofDomain.length; at += 1) {
      const share = ofDomain[at] ?? 0;
      let rate = 0;
      for (let g = 0; g < ofList.length; g += 1) rate += (ofList[g] ?? 0) * (rates[at * ofList.length + g] ?? 0);
      const c = at < ofDomain.length / 2 ? 0 : 1;
      first[2 * c] = (first[2 * c] ?? 0) + share * (1 - rate);
      first[2 * c + 1] = (first[2 * c + 1] ?? 0) + share * rate;
    }
    return first;
  }

  /** Recomputes the address's messages to its domain and list. */
  private tell(address: WorldAddress, known: Known): void {
    const { likelihood, toDomain, toList } = known;
    const [ofDomain, ofList] = [this.domainShares(address, known), this.listShares(address, known)];
    const rates = this.ratesOf(address);
    const [levels, lists] = [ofDomain.length, ofList.length];
    const inDomain = this.domains.get(address.domain) ?? new Float64Array(levels);
    const inList = this.lists.get(address.list) ?? new Float64Array(lists);
    this.domains.set(address.domain, inDomain);
    this.lists.set(address.list, inList);
    const said = new Float64Array(lists);
    for (let at = 0; at < levels; at += 1) {
      const c = at < levels / 2 ? 0 : 1;
      const [landed, bounced] = [likelihood[2 * c] ?? 0, likelihood[2 * c + 1] ?? 0];
      let sum = 0;
      for (let g = 0; g < lists; g += 1) {
        const rate = rates[at * lists + g] ?? 0;
        const joint = landed + (bounced - landed) * rate;
        sum += (ofList[g] ?? 0) * joint;
        said[g] = (said[g] ?? 0) + (ofDomain[at] ?? 0) * joint;
      }
      const log = Math.log(sum + 1e-300);
      inDomain[at] = (inDomain[at] ?? 0) + log - (toDomain[at] ?? 0);
      toDomain[at] = log;
    }
    for (let g = 0; g < lists; g += 1) {
      const log = Math.log((said[g] ?? 0) + 1e-300);
      inList[g] = (inList[g] ?? 0) + log - (toList[g] ?? 0);
      toList[g] = log;
    }
  }

  private likelihoodOf(address: WorldAddress, facts: readonly Fact[]): Float64Array {
    const filtered = this.filtered(address, facts, facts.at(-1)?.at ?? address.first);
    const sums = new Float64Array(4);
    for (let cell = 0; cell < 4; cell += 1)
      for (let at = 0; at < SIZE; at += 1) sums[cell] = (sums[cell] ?? 0) + (filtered[cell * SIZE + at] ?? 0);
    const most = sums.reduce((one, other) => Math.max(one, other), 1e-300);
    return sums.map((sum) => sum / most);
  }

  private stepOf({ host }: WorldDomain, side: Side, years: number): Step {
    const { lost, recovered, redrawn, fills, emptied } = host.churn[side];
    const name = `${lost} ${Math.round(years * 1e5)}`;
    const found = this.steps.get(name);
    if (found !== undefined) return found;
    const gone = lost;
    const all = exponential(
      [-gone - fills, fills, gone, emptied, -gone - emptied, gone, recovered, 0, -recovered],
      STATES,
      years,
    );
    const alive = exponential([-gone - fills, fills, emptied, -gone - emptied], 2, years);
    const kept = Math.exp(-redrawn * years);
    const same = new Float64Array(STATES * STATES);
    same[0] = kept * (alive[0] ?? 0);
    same[1] = kept * (alive[1] ?? 0);
    same[3] = kept * (alive[2] ?? 0);
    same[4] = kept * (alive[3] ?? 0);
    same[8] = kept * Math.exp(-recovered * years);
    const step = { all, same };
    if (this.steps.size > 20_000) this.steps.clear();
    this.steps.set(name, step);
    return step;
  }

  /** By [catch-all][first state bounces][state][server's answer]: the joint with the facts, at the end. */
  private filtered(address: WorldAddress, facts: readonly Fact[], end: number): Float64Array {
    const { domain, first } = address;
    const { host } = domain;
    const result = new Float64Array(4 * SIZE);
    for (let c = 0; c < 2; c += 1) {
      const side = c as Side;
      const answers = host.answers[c] as readonly [Float64Array, Float64Array];
      const full = fullShare(host, side);
      for (let y = 0; y < 2; y += 1) {
        let masses = new Float64Array(SIZE);
        for (let answer = 0; answer < SERVER_ANSWERS; answer += 1) {
          const share = answers[y as Side][answer] ?? 0;
          if (y === 1) masses[GONE * SERVER_ANSWERS + answer] = share;
          else {
            masses[LIVES * SERVER_ANSWERS + answer] = share * (1 - full);
            masses[FULL * SERVER_ANSWERS + answer] = share * full;
          }
        }
        let now = first;
        for (const fact of facts) {
          if (fact.at > now + 1e-9) masses = this.moved(masses, domain, side, (fact.at - now) / YEAR);
          now = Math.max(now, fact.at);
          this.weigh(masses, address, fact);
        }
        if (end > now + 1e-9) masses = this.moved(masses, domain, side, (end - now) / YEAR);
        result.set(masses, (2 * c + y) * SIZE);
      }
    }
    return result;
  }

  private moved(masses: Float64Array, domain: WorldDomain, side: Side, years: number): Float64Array<ArrayBuffer> {
    const { all, same } = this.stepOf(domain, side, years);
    const answers = domain.host.answers[side] as readonly [Float64Array, Float64Array];
    const after = new Float64Array(SIZE);
    for (let to = 0; to < STATES; to += 1) {
      let redrawn = 0;
      for (let from = 0; from < STATES; from += 1) {
        const [every, kept] = [all[from * STATES + to] ?? 0, same[from * STATES + to] ?? 0];
        let total = 0;
        for (let answer = 0; answer < SERVER_ANSWERS; answer += 1) {
          const mass = masses[from * SERVER_ANSWERS + answer] ?? 0;
          total += mass;
          after[to * SERVER_ANSWERS + answer] = (after[to * SERVER_ANSWERS + answer] ?? 0) + mass * kept;
        }
        redrawn += total * (every - kept);
      }
      const shares = to === GONE ? answers[1] : answers[0];
      for (let answer = 0; answer < SERVER_ANSWERS; answer += 1) {
        const at = to * SERVER_ANSWERS + answer;
        after[at] = (after[at] ?? 0) + redrawn * (shares[answer] ?? 0);
      }
    }
    return after;
  }

  private weigh(masses: Float64Array, { domain: { host } }: WorldAddress, fact: Fact): void {
    for (let state = 0; state < STATES; state += 1) {
      const gone = state === GONE ? 1 : 0;
      for (let answer = 0; answer < SERVER_ANSWERS; answer += 1) {
        const at = state * SERVER_ANSWERS + answer;
        masses[at] = (masses[at] ?? 0) * this.likelihood(fact, host.verdicts, state, gone, answer);
      }
    }
  }

  private likelihood(
    fact: Fact,
    verdicts: readonly (readonly (readonly number[])[])[],
    state: number,
    gone: number,
    answer: number,
  ): number {
    switch (fact.kind) {
      case 'answer':
        return verdicts[fact.vendor]?.[answer]?.[fact.verdict] ?? 0;
      case 'report':
        return this.world.reports[state]?.[fact.class] ?? 0;
      case 'proof':
        return this.world.proofs[gone]?.[fact.class] ?? 0;
    }
  }
}
