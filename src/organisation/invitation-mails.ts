import type { InvitationRecord } from '../domain/access/member-records.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { withoutMail } from './members.ts';
import * as store from './sql/members.ts';
import type { Sql } from './sql/sql.ts';

interface InvitationMailDeps {
  readonly sql: Sql;
  readonly now: () => number;
  /** False: try again later. */
  readonly send: (invitation: InvitationRecord) => Promise<boolean>;
}

const RETRY_MS = MINUTE_MS;
const TRIES_MAX = 10;

/** The timer of invitations' mails. */
export async function sendInvitationMails({ sql, now, send }: InvitationMailDeps): Promise<() => number | null> {
  let isLeft = false;
  for (const invitation of store.listUnmailed(sql, now())) {
    const { id, mailTry } = invitation;
    const isOver = (await send(withoutMail(invitation))) || mailTry >= TRIES_MAX;
    store.setMailTry(sql, id, isOver ? 0 : mailTry + 1);
    isLeft ||= !isOver;
  }
  return () => {
    if (isLeft) return now() + RETRY_MS;
    return store.listUnmailed(sql, now()).length > 0 ? now() : null;
  };
}
