import type { Interval } from '../../src/kernel/probability.ts';
import { ExactPosterior } from './exact-posterior.ts';
import { fateOf, proofsOf } from './fates.ts';
import type { Judge } from './judge.ts';
import { isExact, VENDOR_IDS } from './kinds.ts';
import { type Account, drawAccount, type Visit } from './lives.ts';
import { truthAt, verdictAt } from './mailbox.ts';
import { type Action, askable, lossOf } from './money.ts';
import { CLASSES, GONE, UNKNOWN_VERDICT, type World } from './world.ts';

/** Sums of natural-log cross-entropy against the exact posterior, and of that posterior's own entropy. */
export interface Loss {
  crossEntropy: number;
  entropy: number;
}

/** Dollars over all visits; `loss` is the expected loss of the decisions under the exact posterior. */
export interface Money {
  visits: number;
  spend: number;
  loss: number;
}

/** A judge's result in a world. Without an exact posterior, each address's true fate replaces it. */
export interface Served {
  readonly money: Money;
  readonly before: Loss;
  readonly after: Loss;
  readonly answered: Answered[];
  /** Messages sent that bounce. */
  bounces: number;
  asked: number;
  /** Signups of living mailboxes, and how many of them are not sent: at attacked domains since the first attack; all others. */
  readonly victims: Signups;
  readonly others: Signups;
}

/** The exact probability is null where it can't be had. */
export interface Answered {
  readonly visit: Visit;
  readonly action: Action;
  readonly asked: number;
  readonly probability: number;
  readonly interval: Interval;
  readonly exact: number | null;
  readonly gone: boolean;
}

interface Signups {
  living: number;
  challenged: number;
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
  private readonly days: number;

  constructor(days: number) {
    this.days = days;
  }

  put(at: number, run: () => void): void {
    if (at >= this.days) return;
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

/** How often the exact posterior passes on what addresses say to each other, in days. */
const SWEPT_EACH = 5;

/** Runs a world's visits through a judge: its questions are billed, and its messages reported. */
export function serve(world: World, judge: Judge, account: Account = drawAccount(world)): Served {
  const { days } = world.kind;
  const exactly = isExact(world.kind) ? new ExactPosterior(world) : null;
  const vendors = askable(VENDOR_IDS);
  const served: Served = {
    money: { visits: 0, spend: 0, loss: 0 },
    before: { crossEntropy: 0, entropy: 0 },
    after: { crossEntropy: 0, entropy: 0 },
    answered: [],
    bounces: 0,
    asked: 0,
    victims: { living: 0, challenged: 0 },
    others: { living: 0, challenged: 0 },
  };
  const agenda = new Agenda(days);
  const refused = new Set<number>();
  const mail = (visit: Visit): void => {
    const { address, at } = visit;
    const { reported, source, knownAt } = fateOf(world, visit);
    agenda.put(knownAt, () => {
      if (reported === null) return;
      exactly?.add(address, [{ kind: 'report', at, class: reported }]);
      if (reported === USER_UNKNOWN || reported === REFUSED) refused.add(address.index);
      judge.report(visit, reported, source, knownAt);
    });
    prove(visit);
  };
  const prove = (visit: Visit): void => {
    if (visit.list.purpose !== 'signup') return;
    for (const proof of proofsOf(world, visit))
      agenda.put(proof.at, () => {
        exactly?.add(visit.address, [{ kind: 'proof', at: visit.at, class: proof.class }]);
        judge.proof(visit, proof.class, proof.at);
      });
  };
  for (let day = 1; day < days; day += 1)
    agenda.put(day, () => {
      if (day % SWEPT_EACH === 0) exactly?.sweep();
      judge.night(day);
    });
  for (const visit of account.visits) {
    agenda.runUntil(visit.at);
    const { address, at, list } = visit;
    if (address.suppressed && refused.has(address.index)) continue;
    const gone = truthAt(address, at).state === GONE;
    const inquiry = judge.inquire(visit);
    if (exactly !== null && !address.invented)
      add(served.before, exactly.posterior(address, at).probability, inquiry.belief().probability);
    let spend = 0;
    const askedBefore = served.asked;
    for (let next = inquiry.next(); next !== null; next = inquiry.next()) {
      const verdict = verdictAt(world, address, next, at);
      const vendor = vendors[next];
      if (vendor === undefined) throw new Error(`${next} is not a vendor`);
      if (verdict !== UNKNOWN_VERDICT || vendor.billsUnknown) spend += vendor.priceMicros / 1e6;
      exactly?.add(address, [{ kind: 'answer', at, vendor: next, verdict }]);
      inquiry.told(next, verdict);
      served.asked += 1;
    }
    const exact = exactly?.posterior(address, at).probability ?? null;
    const { probability, interval } = inquiry.belief();
    const action = inquiry.action();
    inquiry.end();
    const bounces = exact ?? (gone ? 1 : 0);
    served.money.spend += spend;
    if (!address.invented) {
      if (exact !== null) add(served.after, exact, probability);
      served.answered.push({ visit, action, asked: served.asked - askedBefore, probability, interval, exact, gone });
      served.money.visits += 1;
      served.money.loss += lossOf(action, bounces, list);
      if (action === 'send') served.bounces += bounces;
      if (list.purpose === 'signup' && !gone) {
        const isVictim = at >= (account.attacked.get(address.domain) ?? Number.POSITIVE_INFINITY);
        const among = isVictim ? served.victims : served.others;
        among.living += 1;
        if (action !== 'send') among.challenged += 1;
      }
    }
    if (action === 'send') mail(visit);
    else if (action === 'hold') prove(visit);
  }
  return served;
}
