import { DurableObject } from 'cloudflare:workers';
import type { RuleProbe } from '../../../src/domain/organisation/index.ts';
import { matchRules } from '../../../src/domain/rule-lists/object-store.ts';
import { OBJECT_MIGRATIONS } from '../../../src/entrypoints/object/migrations.ts';
import { migrateObject } from '../../../src/platform/migrate-object.ts';
import type { Sql } from '../../../src/platform/sql.ts';

/** An organisation's tables with rules in them, and nothing else of it. */
export class RulesObject extends DurableObject {
  private readonly sql: Sql;
  private probes: readonly RuleProbe[] = [];

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    migrateObject(this.sql, (work) => ctx.storage.transactionSync(work), OBJECT_MIGRATIONS);
  }

  /** Writes a rule for each address hash and each domain, and keeps the probes for the calls to be timed. */
  async fill(hashes: readonly string[], domains: readonly string[], probes: readonly RuleProbe[]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const hash of hashes) {
        this.sql.exec(
          `insert into address_rule (hash, id, rule, display, created_at, created_by) values (?, ?, 'block', 'a•••@b.test', 0, 'key')`,
          ...[hash, `ar_${hash}`],
        );
      }
      for (const domain of domains) {
        this.sql.exec(
          `insert into domain_rule (domain, id, rule, created_at, created_by) values (?, ?, 'block', 0, 'key')`,
          ...[domain, `dr_${domain}`],
        );
      }
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
}
