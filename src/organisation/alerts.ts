import type { MemberRecord } from '../domain/access/member-records.ts';
import { type Alert, type AlertSettings, isAlertOff, reachedAlerts } from '../domain/metering/organisation-settings.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { ObjectCore } from './core.ts';
import { listMembers } from './sql/members.ts';
import { readMeter } from './sql/metering.ts';
import { type ColumnsOf, insertRecord, selectList, type Sql } from './sql/sql.ts';

const RETRY_MS = MINUTE_MS;
const MAIL_TRIES_MAX = 10;

/** The chosen members; every admin if none was chosen, or all have left. */
function recipientsOf(members: readonly MemberRecord[], settings: AlertSettings | null): readonly MemberRecord[] {
  const chosen = members.filter(({ userId }) => settings?.recipients?.includes(userId) === true);
  return chosen.length > 0 ? chosen : members.filter(({ role }) => role === 'admin');
}

/**
 * Mails are due once a month each, when a quota or budget is nearly used and when it is. Runs when rows are written
 * anyway, not with each request.
 */
export function checkAlerts(core: ObjectCore): void {
  const { sql } = core;
  const { usage } = readMeter(sql, core.now());
  const { alerts, limits } = core.require();
  const reached = reachedAlerts(usage, limits).filter((alert) => !isAlertOff(alerts, alert));
  if (reached.length === 0) return;
  const isNew = core.transact(() => {
    sql.run`delete from alert where month < ${usage.month}`;
    // If both shares are new, the higher one suffices.
    return reached.filter((alert, place) => {
      const isHighest = reached[place - 1]?.of !== alert.of;
      return insertAlert(sql, { ...alert, mailTry: isHighest ? 1 : 0 });
    });
  });
  if (isNew.length > 0) core.timers.arm('alert_mails', core.now());
}

export async function sendAlertMails(core: ObjectCore): Promise<() => number | null> {
  const { sql, services } = core;
  const { usage } = readMeter(sql, core.now());
  let isLeft = false;
  for (const alert of listUnmailedAlerts(sql)) {
    const { alerts } = core.require();
    const isStale = alert.month !== usage.month || isAlertOff(alerts, alert);
    const sent: boolean[] = [];
    for (const member of isStale ? [] : recipientsOf(listMembers(sql), alerts))
      sent.push(await services.sendAlert(core.require(), alert, usage, member));
    const isOver = sent.every(Boolean) || alert.mailTry >= MAIL_TRIES_MAX;
    setAlertTry(sql, alert, isOver ? 0 : alert.mailTry + 1);
    isLeft ||= !isOver;
  }
  return () => {
    if (isLeft) return core.now() + RETRY_MS;
    return listUnmailedAlerts(sql).length > 0 ? core.now() : null;
  };
}

/** `mailTry`: the next try of its mails; 0: none. */
interface HeldAlert extends Alert {
  readonly mailTry: number;
}

const COLUMNS: ColumnsOf<HeldAlert> = { month: 'month', of: '"of"', share: 'share', mailTry: 'mail_try' };

/** False: the month already has it. */
const insertAlert = (sql: Sql, alert: HeldAlert): boolean =>
  insertRecord<HeldAlert>(sql, 'alert', COLUMNS, alert, 'on conflict do nothing returning month').length === 1;

const listUnmailedAlerts = (sql: Sql): HeldAlert[] =>
  sql.all<HeldAlert>`select ${selectList(COLUMNS)} from alert where mail_try > 0`;

const setAlertTry = (sql: Sql, { month, of, share }: Alert, mailTry: number): void =>
  sql.run`update alert set mail_try = ${mailTry} where month = ${month} and "of" = ${of} and share = ${share}`;
