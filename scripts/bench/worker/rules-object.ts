import { DurableObject } from 'cloudflare:workers';
import type { AddRules, RuleRecord } from '../../../src/domain/rules/types.ts';
import type { RuleProbe } from '../../../src/organisation/api.ts';
import { migrateObject } from '../../../src/organisation/migrate.ts';
import { OBJECT_MIGRATIONS } from '../../../src/organisation/migrations.ts';
import type { ChangeDeps } from '../../../src/organisation/once.ts';
import { addRules, removeRules } from '../../../src/organisation/rules.ts';
import { appendOutbox } from '../../../src/organisation/sql/organisation.ts';
import { countRules, listRules, matchRules, putRules } from '../../../src/organisation/sql/rules.ts';
import type { Sql } from '../../../src/organisation/sql/sql.ts';

/** An organisation's tables with rules in them, and nothing else of it. */
export class RulesObject extends DurableObject {
  private readonly sql: Sql;
  private probes: readonly RuleProbe[] = [];

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    migrateObject(this.sql, (work) => ctx.storage.transactionSync(work), OBJECT_MIGRATIONS);
  }

  /** Writes these rules, and keeps the probes for the calls to be timed. */
  async fill(
    addresses: readonly RuleRecord[],
    domains: readonly RuleRecord[],
    probes: readonly RuleProbe[],
  ): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      putRules(this.sql, 'address', addresses);
      putRules(this.sql, 'domain', domains);
    });
    this.probes = probes;
  }

  /** Matches every probe; how many have a rule. */
  async match(): Promise<number> {
    return this.probes.filter((probe) => {
      const { address, domain } = matchRules(this.sql, probe);
      return address !== null || domain !== null;
    }).length;
  }

  /** The same call without the work. */
  async skip(): Promise<number> {
    return this.probes.length;
  }

  /** One change as the organisation's object makes it; how many entries were new. */
  async add(change: AddRules): Promise<number> {
    const answer = this.ctx.storage.transactionSync(() => addRules(this.deps(), change));
    return answer.ok ? answer.added : 0;
  }

  async remove(change: AddRules): Promise<number> {
    const values = change.subjects.map(({ key }) => key);
    const { removed } = this.ctx.storage.transactionSync(() =>
      removeRules(this.deps(), { ...change, by: 'key', values, removedBy: change.createdBy }),
    );
    return removed;
  }

  /** Reads the first page of a list as often as asked, with the count of the whole. */
  async list(times: number): Promise<number> {
    let read = 0;
    for (let i = 0; i < times; i += 1) {
      read += listRules(this.sql, { kind: 'address', rule: 'block', limit: 50, before: null, search: null }).length;
      read += countRules(this.sql, 'address', 'block');
    }
    return read;
  }

  private deps(): ChangeDeps {
    const now = Date.now();
    return {
      sql: this.sql,
      now,
      project: (kind, id, change) => appendOutbox(this.sql, kind, id, JSON.stringify(change), now),
    };
  }
}
