import type { SourceErrors } from '../domain/belief/evidence.ts';
import { type AddressFacts, newestAt, remembered } from '../domain/belief/facts.ts';
import type { Groups } from '../domain/belief/groups.ts';
import { learn } from '../domain/belief/learning.ts';
import type { Model } from '../domain/belief/model.ts';
import { Contradictions, type TrustPolicy } from '../domain/belief/trust.ts';
import { deleteGroups, type Generation, listAddresses, putAddress } from './sql/history.ts';
import type { Sql } from './sql/sql.ts';

/** Addresses, or groups, that one step looks at: some milliseconds of the object's one thread. */
const AT_ONCE = 200;

/**
 * Folds all addresses anew, in the order of their names, into a generation of groups that is not in force: afterwards no order
 * of arrival matters. It runs in short steps, between which requests change addresses; one that it has passed is folded at once
 * here too. What is lost with the object's memory is begun again.
 */
export class Recompute {
  private readonly sql: Sql;
  private readonly deps: {
    readonly model: Model;
    readonly trust: () => TrustPolicy;
    readonly readGroups: (of: Generation, facts: AddressFacts) => Groups;
    readonly moveGroups: (of: Generation, facts: AddressFacts, groups: Groups) => void;
  };
  readonly shadow: Generation;
  private isEmptied = false;
  private after: string | null = null;
  private readonly contradictions = new Contradictions();

  constructor(sql: Sql, shadow: Generation, deps: Recompute['deps']) {
    this.sql = sql;
    this.shadow = shadow;
    this.deps = deps;
  }

  /** One step, in a transaction of its own. True: it was the last. */
  step(now: number): boolean {
    if (!this.isEmptied) {
      this.isEmptied = deleteGroups(this.sql, this.shadow, AT_ONCE);
      return false;
    }
    const rows = listAddresses(this.sql, this.shadow, this.after, AT_ONCE);
    for (const { name, facts } of rows) {
      this.fold(name, facts, now);
      this.contradictions.note(facts);
    }
    this.after = rows.at(-1)?.name ?? this.after;
    return rows.length < AT_ONCE;
  }

  /** Whether the fold has passed this address: a change of it is folded here as well. */
  has(name: string): boolean {
    return this.after !== null && name <= this.after;
  }

  private fold(name: string, facts: AddressFacts, now: number): void {
    const { model, trust, readGroups, moveGroups } = this.deps;
    const kept = remembered(facts, now);
    const { groups, contribution } = learn(model, name, kept, readGroups(this.shadow, kept), null, trust(), now);
    putAddress(this.sql, this.shadow, { name, facts: kept, contribution }, newestAt(facts) ?? now);
    moveGroups(this.shadow, kept, groups);
  }

  /** Share of wrong reports of the sources that err. */
  errors(): SourceErrors {
    return this.contradictions.errors();
  }
}
