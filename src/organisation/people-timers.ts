import type { InvitationRecord, MemberRecord, People } from '../domain/access/member-records.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { withoutKey, withoutMail } from './members.ts';
import * as store from './sql/members.ts';
import type { Sql } from './sql/sql.ts';

/** What the people of an organisation's object need of it, and from outside. */
interface PeopleDeps {
  readonly sql: Sql;
  readonly now: () => number;
  /** Has the timer begin at once, unless it waits after a failure. */
  readonly begin: (timer: 'directory' | 'invitation_mails') => void;
  /** Replaces what Postgres holds of the organisation's people. False: try again later. */
  readonly writeDirectory: (people: People) => Promise<boolean>;
  /** False: try again later. */
  readonly sendInvitation: (invitation: InvitationRecord) => Promise<boolean>;
}

const RETRY_MS = MINUTE_MS;
const MAIL_TRIES_MAX = 10;

/**
 * What follows a change of an organisation's people: the directory in Postgres, which tells a person's organisations, and the
 * mails to those who are invited. The directory gets them whole, not through the outbox: the release before has no writer for
 * them, and its outbox would stop there.
 */
export class PeopleTimers {
  private readonly deps: PeopleDeps;
  /** Counts the changes since this object started. */
  private changes = 0;
  private writing: Promise<boolean> | null = null;

  constructor(deps: PeopleDeps) {
    this.deps = deps;
  }

  members(): MemberRecord[] {
    return store.listMembers(this.deps.sql).map(withoutKey);
  }

  invitations(): InvitationRecord[] {
    return store.listInvitations(this.deps.sql, this.deps.now()).map(withoutMail);
  }

  /** Whether the address is a member's, or an invitation's, out of time or not. */
  knows(email: string): boolean {
    return (
      store.listMembers(this.deps.sql).some((each) => each.email === email) || store.hasInvited(this.deps.sql, email)
    );
  }

  /** Makes a change, and begins what follows it. */
  changing<T>(change: () => T): T {
    const changed = change();
    this.changes += 1;
    this.deps.begin('directory');
    if (store.listUnmailed(this.deps.sql, this.deps.now()).length > 0) this.deps.begin('invitation_mails');
    return changed;
  }

  /** The directory timer. */
  async writeDirectory(): Promise<() => number | null> {
    const { changes } = this;
    this.writing = this.deps.writeDirectory({ members: this.members(), invitations: this.invitations() });
    const isWritten = await this.writing;
    return () => {
      if (!isWritten) return this.deps.now() + RETRY_MS;
      return this.changes === changes ? null : this.deps.now();
    };
  }

  /** Waits for a running statement: afterwards, its timers cleared, nothing from here reaches Postgres. */
  async stop(): Promise<void> {
    await this.writing;
  }

  /** The timer of invitations' mails. */
  async sendMails(): Promise<() => number | null> {
    const { sql, now } = this.deps;
    let isLeft = false;
    for (const invitation of store.listUnmailed(sql, now())) {
      const { id, mailTry } = invitation;
      const isOver = (await this.deps.sendInvitation(withoutMail(invitation))) || mailTry >= MAIL_TRIES_MAX;
      store.setMailTry(sql, id, isOver ? 0 : mailTry + 1);
      isLeft ||= !isOver;
    }
    return () => {
      if (isLeft) return now() + RETRY_MS;
      return store.listUnmailed(sql, now()).length > 0 ? now() : null;
    };
  }
}
