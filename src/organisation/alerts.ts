import type { MemberRecord } from '../domain/access/member-records.ts';
import { type Alert, reachedAlerts } from '../domain/metering/alerts.ts';
import { type AlertSettings, isAlertOff } from '../domain/metering/organisation-settings.ts';
import type { Limits, Usage } from '../domain/metering/usage.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import * as store from './sql/alerts.ts';
import { listMembers } from './sql/members.ts';
import { readMeter } from './sql/metering.ts';
import type { Sql, Transact } from './sql/sql.ts';

interface AlertDeps {
  readonly sql: Sql;
  readonly transact: Transact;
  readonly now: () => number;
  readonly limits: () => Limits;
  /** Null: every alert, to every admin. */
  readonly settings: () => AlertSettings | null;
  /** Has the timer begin at once, unless it waits after a failure. */
  readonly begin: () => void;
  /** False: try again later. */
  readonly send: (alert: Alert, usage: Usage, to: MemberRecord) => Promise<boolean>;
}

const RETRY_MS = MINUTE_MS;
const MAIL_TRIES_MAX = 10;

/** The chosen members. Where none was chosen, or all of them have left: every admin. */
function recipientsOf(members: readonly MemberRecord[], settings: AlertSettings | null): readonly MemberRecord[] {
  const chosen = members.filter(({ userId }) => settings?.recipients?.includes(userId) === true);
  return chosen.length > 0 ? chosen : members.filter(({ role }) => role === 'admin');
}

/** Mails when a month's quota or budget is nearly used, and when it is. Each is sent once a month. */
export class Alerts {
  private readonly deps: AlertDeps;

  constructor(deps: AlertDeps) {
    this.deps = deps;
  }

  /** Looks at the counts. It is called where rows are written anyway, not with each request. */
  check(): void {
    const { sql, transact, now, limits, settings, begin } = this.deps;
    const { usage } = readMeter(sql, now());
    const wanted = settings();
    const reached = reachedAlerts(usage, limits()).filter((alert) => !isAlertOff(wanted, alert));
    if (reached.length === 0) return;
    const isNew = transact(() => {
      store.deleteAlertsBefore(sql, usage.month);
      // Where both shares are new, the higher one says it all.
      return reached.filter((alert, place) => {
        const isHighest = reached[place - 1]?.of !== alert.of;
        return store.insertAlert(sql, { ...alert, mailTry: isHighest ? 1 : 0 });
      });
    });
    if (isNew.length > 0) begin();
  }

  /** The timer of the mails. */
  async sendMails(): Promise<() => number | null> {
    const { sql, now, settings, send } = this.deps;
    const { usage } = readMeter(sql, now());
    let isLeft = false;
    for (const alert of store.listUnmailedAlerts(sql)) {
      const wanted = settings();
      const isStale = alert.month !== usage.month || isAlertOff(wanted, alert);
      const sent: boolean[] = [];
      for (const member of isStale ? [] : recipientsOf(listMembers(sql), wanted))
        sent.push(await send(alert, usage, member));
      const isOver = sent.every(Boolean) || alert.mailTry >= MAIL_TRIES_MAX;
      store.setAlertTry(sql, alert, isOver ? 0 : alert.mailTry + 1);
      isLeft ||= !isOver;
    }
    return () => {
      if (isLeft) return now() + RETRY_MS;
      return store.listUnmailedAlerts(sql).length > 0 ? now() : null;
    };
  }
}
