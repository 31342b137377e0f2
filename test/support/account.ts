import { type AddressFacts, NO_FACTS } from '../../src/domain/belief/facts.ts';
import type { Contribution, Groups } from '../../src/domain/belief/groups.ts';
import { isShared } from '../../src/domain/belief/host-class.ts';
import { learn } from '../../src/domain/belief/learning.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { TRUST_ALL, type TrustPolicy } from '../../src/domain/belief/trust.ts';
import { addressOf, hashOf, NOW } from './addresses.ts';

/** An account's addresses and what it has learned of their groups, in memory. */
export class Account {
  private readonly trust: TrustPolicy;
  private readonly addresses = new Map<string, { facts: AddressFacts; own: Contribution | null }>();
  private readonly effects = new Map<string, object>();

  constructor(trust: TrustPolicy = TRUST_ALL) {
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

  contribution(local: string): Contribution | null {
    return this.addresses.get(hashOf(local))?.own ?? null;
  }

  /** What is known of an address now, in place of what was known of it before. */
  learn(local: string, change: Partial<AddressFacts>, now = NOW): void {
    this.fold(hashOf(local), addressOf(change), now);
  }

  private fold(name: string, facts: AddressFacts, now: number): void {
    const own = this.addresses.get(name)?.own ?? null;
    const learned = learn(MODEL, name, facts, this.groups(facts), own, this.trust, now);
    this.keep(facts, learned.groups);
    this.addresses.set(name, { facts, own: learned.contribution });
  }

  forget(local: string, now = NOW): void {
    const name = hashOf(local);
    const known = this.addresses.get(name);
    if (known !== undefined) this.fold(name, { ...known.facts, ...NO_FACTS }, now);
    this.addresses.delete(name);
  }

  /** Folds all addresses anew, in the order of their names. */
  recompute(now = NOW): void {
    const all = [...this.addresses].toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.addresses.clear();
    this.effects.clear();
    for (const [name, { facts }] of all) this.fold(name, facts, now);
  }

  private keep({ domain, list, host }: AddressFacts, groups: Groups): void {
    const named: readonly (readonly [string, object | null])[] = [
      [`domain ${domain}`, groups.domain],
      ...(list === null ? [] : [[`list ${list}`, groups.list] as const]),
      ['account', groups.account],
      ...(isShared(host) ? [] : [['catchAlls', groups.catchAlls] as const]),
    ];
    for (const [name, effect] of named) if (effect !== null) this.effects.set(name, effect);
  }
}
