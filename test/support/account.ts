import { type AddressFacts, NO_FACTS, remembered } from '../../src/domain/belief/facts.ts';
import type { Contribution, Groups } from '../../src/domain/belief/groups.ts';
import { isShared } from '../../src/domain/belief/host-class.ts';
import { learn } from '../../src/domain/belief/learning.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { TRUST_ALL, type TrustPolicy } from '../../src/domain/belief/trust.ts';
import { addressOf, hashOf, NOW } from './addresses.ts';

/** An account's addresses by row name, and its group effects, in memory. */
export class AccountRows<Trust extends TrustPolicy> {
  readonly rows = new Map<string, { readonly facts: AddressFacts; readonly contribution: Contribution | null }>();
  private readonly effects = new Map<string, object>();
  protected trust: Trust;

  constructor(trust: Trust) {
    this.trust = trust;
  }

  groups({ domain, list }: Pick<AddressFacts, 'domain' | 'list'> = addressOf()): Groups {
    const found = <T>(name: string): T | null => (this.effects.get(name) as T | undefined) ?? null;
    return {
      domain: found(`domain ${domain}`),
      list: list === null ? null : found(`list ${list}`),
      account: found('account'),
      catchAlls: found('catchAlls'),
    };
  }

  /** Replaces an address's facts and updates the groups. */
  protected fold(name: string, facts: AddressFacts, now: number): void {
    const own = this.rows.get(name)?.contribution ?? null;
    const { groups, contribution } = learn(MODEL, name, facts, this.groups(facts), own, this.trust, now);
    this.rows.set(name, { facts, contribution });
    const named: readonly (readonly [string, object | null])[] = [
      [`domain ${facts.domain}`, groups.domain],
      ...(facts.list === null ? [] : [[`list ${facts.list}`, groups.list] as const]),
      ['account', groups.account],
      ...(isShared(facts.host) ? [] : [['catchAlls', groups.catchAlls] as const]),
    ];
    for (const [kind, effect] of named) if (effect !== null) this.effects.set(kind, effect);
  }

  /** Recomputes all addresses, in the order of their names. */
  recompute(now = NOW): void {
    const all = [...this.rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.rows.clear();
    this.effects.clear();
    for (const [name, { facts }] of all) this.fold(name, remembered(facts, now), now);
  }
}

/** An account whose facts about each person are set by the test. */
export class Account extends AccountRows<TrustPolicy> {
  constructor(trust: TrustPolicy = TRUST_ALL) {
    super(trust);
  }

  contribution(local: string): Contribution | null {
    return this.rows.get(hashOf(local))?.contribution ?? null;
  }

  learn(local: string, change: Partial<AddressFacts>, now = NOW): void {
    this.fold(hashOf(local), addressOf(change), now);
  }

  forget(local: string, now = NOW): void {
    const name = hashOf(local);
    const known = this.rows.get(name);
    if (known !== undefined) this.fold(name, { ...known.facts, ...NO_FACTS }, now);
    this.rows.delete(name);
  }
}
