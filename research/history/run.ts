import type { Judge } from './judge.ts';
import { DAYS, lies } from './kinds.ts';
import { type Fact, Limit } from './limit.ts';
import { type Account, drawAccount, fateOf, proofsOf, truthAt, type Visit, verdictAt } from './lives.ts';
import { ASKABLE, lossOf } from './money.ts';
import { CLASSES, GONE, UNKNOWN_VERDICT, type World } from './world.ts';

/** Sums of natural-log cross-entropy against the exact posterior, and of that posterior's own entropy. */
export interface Loss {
  crossEntropy: number;
  entropy: number;
}

/** Money over visits, in dollars; `loss` is what the decisions lose, expected under the exact posterior. */
export interface Money {
  visits: number;
  spend: number;
  loss: number;
}
const noMoney = (): Money => ({ visits: 0, spend: 0, loss: 0 });
export const costOf = ({ spend, loss }: Money): number => spend + loss;

/** How a judge did in a world. */
export interface Served {
  readonly money: Money;
  readonly before: Loss;
  readonly after: Loss;
  /** Probability answered, the exact one, and whether the mailbox was gone. */
  readonly answered: (readonly [predicted: number, exact: number, gone: boolean])[];
  /** 90 % intervals that hold the exact probability. */
  readonly coverage: { held: number; of: number };
  /** Messages sent that bounce, expected. */
  bounces: number;
  asked: number;
  /** Signups of living mailboxes at domains that are not attacked, and how many were not sent. */
  readonly others: { living: number; challenged: number };
}

const SURE = 1e-9;
function crossEntropy(exact: number, predicted: number): number {
  const sure = Math.min(1 - SURE, Math.max(SURE, predicted));
  return -(exact * Math.log(sure) + (1 - exact) * Math.log(1 - sure));
}
function add(loss: Loss, exact: number, predicted: number): void {
  loss.crossEntropy += crossEntropy(exact, predicted);
  loss.entropy += crossEntropy(exact, exact);
}

/** Later things of a world, in the order of time. */
class Agenda {
  private readonly items: { readonly at: number; readonly run: () => void }[] = [];

  put(at: number, run: () => void): void {
    if (at >= DAYS) return;
    this.items.push({ at, run });
    let child = this.items.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if ((this.items[parent]?.at ?? 0) <= (this.items[child]?.at ?? 0)) break;
      this.swap(parent, child);
      child = parent;
    }
  }

  runUntil(time: number): void {
    while ((this.items[0]?.at ?? Infinity) <= time) this.take()?.run();
  }

  private take() {
    const first = this.items[0];
    const last = this.items.pop();
    if (last === undefined || first === last) return first;
    this.items[0] = last;
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      const at = (place: number): number => this.items[place]?.at ?? Infinity;
      const least = at(left + 1) < at(left) ? left + 1 : left;
      if (at(least) >= at(parent)) return first;
      this.swap(parent, least);
      parent = least;
    }
  }

  private swap(one: number, other: number): void {
    const [first, second] = [this.items[one], this.items[other]];
    if (first === undefined || second === undefined) return;
    this.items[one] = second;
    this.items[other] = first;
  }
}

const USER_UNKNOWN = CLASSES.indexOf('user_unknown');
const REFUSED = CLASSES.indexOf('refused');

/** How often the limit passes on what addresses say to each other, in days. */
const SWEPT_EACH = 2;

/**
 * A world's visits served by a judge: what it asks is billed, what it sends is reported.
 * @param scoredFromDay visits before this day count for nothing
 */
export function serve(
  world: World,
  judgeOf: (limit: Limit) => Judge,
  {
    account = drawAccount(world),
    scoredFromDay = 0,
  }: { readonly account?: Account; readonly scoredFromDay?: number } = {},
): Served {
  const all = lies(world.kind);
  const limit = new Limit(world, all ? 'all' : 'account');
  const judge = judgeOf(limit);
  const served: Served = {
    money: noMoney(),
    before: { crossEntropy: 0, entropy: 0 },
    after: { crossEntropy: 0, entropy: 0 },
    answered: [],
    coverage: { held: 0, of: 0 },
    bounces: 0,
    asked: 0,
    others: { living: 0, challenged: 0 },
  };
  const agenda = new Agenda();
  const refused = new Set<number>();
  const mail = (visit: Visit): void => {
    const { address, at } = visit;
    const { happened, reported, source, knownAt } = fateOf(world, visit);
    agenda.put(knownAt, () => {
      const heard = all ? happened : reported;
      if (heard !== null) limit.add(address, [{ kind: 'report', at, class: heard }]);
      if (reported === null) return;
      if (reported === USER_UNKNOWN || reported === REFUSED) refused.add(address.index);
      judge.report(visit, reported, source, knownAt);
    });
    prove(visit);
  };
  const prove = (visit: Visit): void => {
    if (visit.list.purpose !== 'signup') return;
    for (const proof of proofsOf(world, visit))
      agenda.put(proof.at, () => {
        limit.add(visit.address, [{ kind: 'proof', at: visit.at, class: proof.class }]);
        judge.proof(visit, proof.class, proof.at);
      });
  };
  for (let day = 1; day < DAYS; day += 1)
    agenda.put(day, () => {
      if (day % SWEPT_EACH === 0) limit.sweep();
      judge.night(day);
    });
  for (const visit of account.visits) {
    agenda.runUntil(visit.at);
    const { address, at, list } = visit;
    if (address.suppressed && refused.has(address.index)) continue;
    const scored = at >= scoredFromDay && !address.invented;
    const inquiry = judge.inquire(visit);
    if (scored) add(served.before, limit.posterior(address, at).probability, inquiry.belief().probability);
    let spend = 0;
    const facts: Fact[] = [];
    for (let next = inquiry.next(); next !== null; next = inquiry.next()) {
      const verdict = verdictAt(world, address, next, at);
      const vendor = ASKABLE[next];
      if (vendor === undefined) throw new Error(`${next} is not a vendor`);
      if (verdict !== UNKNOWN_VERDICT || vendor.billsUnknown) spend += vendor.price;
      if (!all) limit.add(address, [{ kind: 'answer', at, vendor: next, verdict }]);
      else if (facts.length === 0) facts.push({ kind: 'server', at, answer: truthAt(address, at).answer });
      inquiry.told(next, verdict);
      served.asked += 1;
    }
    limit.add(address, facts);
    const exact = limit.posterior(address, at).probability;
    const { probability, interval } = inquiry.belief();
    const action = inquiry.action();
    inquiry.end();
    const loss = lossOf(action, exact, list);
    if (scored) {
      add(served.after, exact, probability);
      served.answered.push([probability, exact, truthAt(address, at).state === GONE]);
      served.coverage.of += 1;
      if (interval[0] <= exact && exact <= interval[1]) served.coverage.held += 1;
      served.money.visits += 1;
      served.money.spend += spend;
      served.money.loss += loss;
      if (action === 'send') served.bounces += exact;
    } else if (address.invented) served.money.spend += spend;
    if (scored && list.purpose === 'signup') {
      const isAttacked = at >= (account.attacked.get(address.domain) ?? Infinity);
      if (!isAttacked && truthAt(address, at).state !== GONE) {
        served.others.living += 1;
        served.others.challenged += action === 'send' ? 0 : 1;
      }
    }
    if (action === 'send') mail(visit);
    else if (action === 'hold') prove(visit);
  }
  return served;
}
