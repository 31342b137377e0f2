import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { AuditFilter } from '../../src/domain/access/keys.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { idFromUuid, uuidAt } from '../../src/kernel/ids.ts';
import { countActions, listAudit } from '../../src/organisation/changes.ts';
import { captureLog } from '../support/capture-log.ts';
import { countingReads, createOrganisation } from '../support/worker.ts';

captureLog();

const LINES = 100_000;
const PAGE = 50;
/** The first line's time; another follows each minute. */
const BEGUN = Date.UTC(2026, 0, 1);
const AT = (line: number): number => BEGUN + line * MINUTE_MS;
const [BUSY, RARE] = ['key_busy', 'u_rare'];

/** Lines of one key that adds entries, and of one person who has saved a policy, long ago, and once added entries since. */
async function createLog() {
  const { object } = await createOrganisation();
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    const add = (line: number, actor: string, action: string) =>
      sql.exec(
        `insert into audit (id, at, actor, action, target, summary, entries)
         values (?, ?, ?, ?, 'signup', '', null)`,
        idFromUuid('au', uuidAt(AT(line))),
        AT(line),
        actor,
        action,
      );
    sql.exec('delete from audit');
    add(0, RARE, 'policy.saved');
    for (let line = 1; line < LINES - 1; line += 1) add(line, BUSY, line % 2 === 0 ? 'rules.added' : 'key.created');
    add(LINES - 1, RARE, 'rules.added');
  });
  return object;
}

const PERIOD = { fromMs: AT(0), toMs: AT(0) + DAY_MS };
const FILTERS: readonly (readonly [name: string, filter: AuditFilter, shown: number])[] = [
  ['every line', {}, PAGE],
  ['a frequent action', { action: 'rules.added' }, PAGE],
  ['a rare action', { action: 'policy.saved' }, 1],
  ['a rare actor', { actor: RARE }, 2],
  ['an actor and an action that are frequent, never together', { action: 'losses.changed', actor: BUSY }, 0],
  ['a rare actor and a frequent action', { action: 'rules.added', actor: RARE }, 1],
  ['a day long ago', PERIOD, PAGE],
  ['an action on a day long ago', { action: 'rules.added', ...PERIOD }, PAGE],
  ['an actor on a day long ago', { actor: BUSY, ...PERIOD }, PAGE],
];

it(
  'a page of a log with 100,000 lines, and a count, reads no line that it does not show',
  {
    timeout: 120_000,
  },
  async () => {
    const object = await createLog();
    const found = await runInDurableObject(object, (_, { storage }) => {
      const { sql, rowsRead } = countingReads(storage);
      const pages = FILTERS.map(([name, filter]) => {
        const { length: shown } = listAudit(sql, { limit: PAGE, before: null, ...filter });
        return { name, shown, read: rowsRead() };
      });
      const counted = countActions(sql, 'policy.saved', AT(0));
      return { pages, count: { counted, read: rowsRead() } };
    });
    expect(found.pages.map(({ name, shown }) => [name, shown])).toEqual(
      FILTERS.map(([name, , shown]) => [name, shown]),
    );
    for (const { name, shown, read } of found.pages) expect(read, name).toBeLessThanOrEqual(2 * shown + 1);
    expect(found.count.counted).toBe(1);
    expect(found.count.read).toBeLessThanOrEqual(3);
  },
);
