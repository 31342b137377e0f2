import { DurableObject } from 'cloudflare:workers';
import type { KeyRecord } from '../../../src/domain/access/keys.ts';
import type { AddressFacts, Observation } from '../../../src/domain/belief/facts.ts';
import type { Contribution } from '../../../src/domain/belief/groups.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import type { OrganisationSettings } from '../../../src/domain/metering/organisation-settings.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { AuthorizeRequest } from '../../../src/organisation/api.ts';
import { authorize } from '../../../src/organisation/authorize.ts';
import { History } from '../../../src/organisation/history.ts';
import { bringUpToDate } from '../../../src/organisation/schema.ts';
import { insertKey } from '../../../src/organisation/keys.ts';
import { putAddress, putContribution } from '../../../src/organisation/sql/history.ts';
import {
  deleteRows,
  listWaiting,
  finishedOperation,
  putOperation,
  readWaiting,
} from '../../../src/organisation/sql/operations.ts';
import { Sql, type SqlRow, type SqlValue } from '../../../src/organisation/sql/sql.ts';

const AT_ONCE = 10_000;

/** Rows of one drain's page and of one of its statements. */
const DRAINED_AT_ONCE = 1_000;
const READ_AT_ONCE = 12;
const LAST_KEY = '~';
const FINISHED = { ...finishedOperation('vr_0', '2026-11', null), meter: 'verify' } as const;

/** `inMs`, `outMs`: how long it took to enter them, and to read and remove them. */
export interface Kept {
  readonly bytes: number;
  readonly inMs: number;
  readonly outMs: number;
}

const NOTHING_WRITTEN = { has: () => false };

/** Hex digits of so many random bytes. */
const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** As an address's row has it. */
const CONTRIBUTION: Contribution = {
  at: Date.now(),
  effects: {
    domain: [-0.123456, 0.056789],
    list: [-0.123456, 0.056789],
    account: [-0.123456, 0.056789],
    catchAlls: [-0.012345, 0.005678],
  },
  givenUp: -0.012345,
  isReported: true,
};

/** An organisation's tables with a history in them, and nothing else of it. */
export class HistoryObject extends DurableObject {
  private readonly sql: Sql;
  private readonly history: History;
  private requests = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.sql = new Sql(ctx.storage.sql);
    bringUpToDate(this.sql, (work) => ctx.storage.transactionSync(work));
    this.history = new History(this.sql, MODEL);
  }

  /** Enters so many addresses that look like this one, of a domain of their own or four at each; the bytes that each adds to the file. */
  async addAddresses(like: AddressFacts, count: number, areNeighbours = false): Promise<number> {
    const named = (number: number): string => number.toString(16).padStart(32, '0');
    return this.bytesEach(count, (at) => {
      const [domain, list] = areNeighbours
        ? [named(Math.floor(at / 4)), named(at % 10)]
        : [randomHex(16), randomHex(16)];
      const contribution = areNeighbours ? null : CONTRIBUTION;
      const name = randomHex(16);
      putAddress(this.sql, 0, { name, facts: { ...like, domain, list }, contribution }, like.firstSeenAt);
      // A night has folded it once.
      putContribution(this.sql, 1, name, contribution);
    });
  }

  /** Keeps so many traces as an object does while Postgres is away, then reads and removes them as a drain does. */
  async keepTraces(chars: number, count: number): Promise<Kept> {
    const record = 'x'.repeat(chars);
    const began = Date.now();
    const bytes = await this.bytesEach(count, () =>
      putOperation(this.sql, newId('vr', Date.now()), Date.now(), FINISHED, { kind: 'trace', record }),
    );
    const kept = Date.now();
    for (let rows = this.waiting(); rows.length > 0; rows = this.waiting()) {
      const keys = rows.map(({ key }) => key);
      for (let from = 0; from < keys.length; from += READ_AT_ONCE)
        readWaiting(this.sql, keys.slice(from, from + READ_AT_ONCE));
      deleteRows(this.sql, keys);
      await scheduler.wait(0);
    }
    return { bytes, inMs: kept - began, outMs: Date.now() - kept };
  }

  /** Fills the tables with copies of one row, as fast as SQLite can. */
  async fill(like: AddressFacts, count: number): Promise<void> {
    putAddress(this.sql, 0, { name: randomHex(16), facts: like, contribution: CONTRIBUTION }, like.firstSeenAt);
    const insert = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
      insert into address_facts
      select randomblob(16), first_seen_at, host, purpose, domain, list, facts, newest, contribution0, contribution1
      from n, (select * from address_facts limit 1)`;
    for (let done = 0; done < count; done += AT_ONCE) {
      const rows = Math.min(AT_ONCE, count - done);
      this.sql.exec(insert, rows);
      await scheduler.wait(0);
    }
  }

  /** Folds all addresses in the table again; how many steps that takes. */
  async recompute(): Promise<number> {
    let steps = 1;
    for (const now = Date.now(); !this.ctx.storage.transactionSync(() => this.history.recomputeOn(now)); steps += 1)
      await scheduler.wait(0);
    return steps;
  }

  /** Enters these one after the other; the rows that SQLite wrote for each. */
  async rowsWritten(news: readonly Observation[]): Promise<number[]> {
    let rows = 0;
    const exec = <T extends SqlRow>(query: string, ...bindings: SqlValue[]) => {
      const cursor = this.ctx.storage.sql.exec<T>(query, ...bindings);
      const read = cursor.toArray();
      rows += cursor.rowsWritten;
      return { toArray: () => read, [Symbol.iterator]: () => read.values() };
    };
    const history = new History(new Sql({ exec }), MODEL);
    return news.map((each) => {
      rows = 0;
      history.learn([each], Date.now());
      return rows;
    });
  }

  async open(key: KeyRecord): Promise<void> {
    insertKey(this.sql, key);
  }

  /** Authorises so many verifications, half of them of addresses that are known. */
  async authorize(settings: OrganisationSettings, request: AuthorizeRequest, count: number): Promise<number> {
    const known = this.sql.exec<{ name: string }>(
      'select lower(hex(name)) as name from address_facts limit ?',
      count / 2,
    );
    const names = [...known].map(({ name }) => name);
    let found = 0;
    for (let i = 0; i < count; i += 1) {
      this.requests += 1;
      const operationId = `vr_${this.requests}`;
      const addressHash = names[i] ?? randomHex(32);
      const now = Date.now();
      this.ctx.storage.transactionSync(() =>
        authorize(
          this.sql,
          settings,
          { ...request, operationId, traceId: operationId },
          now,
          false,
          NOTHING_WRITTEN,
          () => ({}),
        ),
      );
      const lookup = { domain: randomHex(16), purpose: 'signup' } as const;
      if (this.history.known(addressHash, lookup, 'key_1', now).address !== null) found += 1;
    }
    return found;
  }

  private waiting() {
    return listWaiting(this.sql, 'trace', '', LAST_KEY, DRAINED_AT_ONCE);
  }

  private async bytesEach(count: number, add: (at: number) => void): Promise<number> {
    const before = this.ctx.storage.sql.databaseSize;
    for (let done = 0; done < count; done += AT_ONCE) {
      this.ctx.storage.transactionSync(() => {
        for (let i = 0; i < Math.min(AT_ONCE, count - done); i += 1) add(done + i);
      });
      await scheduler.wait(0);
    }
    return (this.ctx.storage.sql.databaseSize - before) / count;
  }
}
