import { sha256Hex } from '../kernel/crypto.ts';
import type { Sql, Transact } from './sql/sql.ts';

/** One step of an object's schema. Append-only: a step that has run anywhere is never edited. */
export interface ObjectMigration {
  readonly name: string;
  readonly sql: string;
  /** A step that removes something names the first release that did without it. Every other step only adds. */
  readonly unusedSince?: number;
}

/**
 * Migrates an object's SQLite to the newest schema. Unknown further steps belong to a newer release and keep what this
 * one needs. Throws if a step that ran before has changed or was replaced.
 */
export function bringUpToDate(sql: Sql, transact: Transact, migrations = OBJECT_MIGRATIONS): void {
  sql.run`
    create table if not exists migration (position integer primary key, name text not null, digest text not null)`;
  const done = sql.all<{ name: string; digest: string }>`select name, digest from migration order by position`;
  for (const [position, step] of migrations.entries()) {
    const past = done[position];
    if (past === undefined) {
      transact(() => {
        sql.exec(step.sql);
        sql.run`insert into migration (position, name, digest) values (${position}, ${step.name}, ${digest(step)})`;
      });
    } else if (past.name !== step.name || past.digest !== digest(step)) {
      throw new Error(`migration ${past.name} has changed`);
    }
  }
}

const digest = (step: ObjectMigration): string => sha256Hex(step.sql).slice(0, 16);

/** An organisation's object. Append-only; a step that has run anywhere is never edited. */
export const OBJECT_MIGRATIONS: readonly ObjectMigration[] = [
  {
    name: 'baseline',
    sql: [
      `create table organisation (id integer primary key check (id = 1), settings text);`,
      // A key's previous secret works until its rotation's overlap ends. Uses are recorded by hour.
      `create table api_key (
        hash text primary key, id text not null unique, last4 text not null, name text not null, role text not null,
        mode text not null, origin text not null, operator integer not null, user_id text, secret_version text not null,
        created_at integer not null, created_by text not null, expires_at integer, previous_hash text, previous_last4 text,
        previous_until integer, last_used_at integer, previous_used_at integer, revoked_at integer
      ) without rowid;
      create index api_key_previous on api_key (previous_hash) where previous_hash is not null;
      create index api_key_user on api_key (user_id) where user_id is not null;`,
      // `mail_try`: the next try of the mail; 0: none.
      `create table member (
        user_id text primary key, email text not null, name text, role text not null, key_id text not null,
        admin_since integer, created_at integer not null, created_by text not null
      ) without rowid;
      create table invitation (
        id text primary key, email text not null, role text not null, created_at integer not null,
        expires_at integer not null, created_by text not null, mail_try integer not null
      ) without rowid;
      create table admin_notice (
        id text primary key, change text not null, about text not null, "to" text not null, mail_try integer not null
      ) without rowid;`,
      // `entries`: the count of a line about rule lists. Each index includes the id, as the table's key.
      `create table audit (
        id text primary key, at integer not null, actor text not null, key_id text, action text not null, target text not null,
        summary text not null, entries integer
      ) without rowid;
      create index audit_action on audit (action);
      create index audit_actor on audit (actor);
      create index audit_action_actor on audit (action, actor);`,
      `create table meter (id integer primary key check (id = 1), state text not null);`,
      // Running requests' holds of the month's budgets.
      `create table reservation (
        budget text not null, request_id text not null, micros integer not null, month text not null,
        at integer not null, primary key (budget, request_id)
      ) without rowid;`,
      // Reached shares of a month's quota or budget, for alerts. `mail_try` as above.
      `create table alert (
        month text not null, "of" text not null, share integer not null, mail_try integer not null,
        primary key (month, "of", share)
      ) without rowid;`,
      // Charges, answers stored for a repeat, and traces waiting for Postgres, by the sortable part of their ids. Until
      // `held_until` one request has the operation to itself. `address_hash`: for erasure of a stored answer.
      // `flushed`: operations whose rows recently left for Postgres.
      `create table operation (
        key text primary key, state text not null, trace_id text not null, meter text, month text, at integer not null,
        kind text, record text, body_hash text, answer text, held_until integer, address_hash text, expires_at integer
      ) without rowid;
      create index operation_expiry on operation (expires_at) where expires_at is not null;
      create index operation_address on operation (address_hash) where address_hash is not null;
      create table flushed (slot integer primary key, period integer not null, keys text not null);
      create table outbox (
        seq integer primary key autoincrement, kind text not null, id text not null, record text not null,
        at integer not null, dead integer not null default 0
      );
      create index outbox_id on outbox (id);
      create table timer (name text primary key, due_at integer not null) without rowid;`,
      // The lists' order: ids sort by time. A kind's version counts its changes, for the projection.
      `create table domain_rule (
        domain text primary key, id text not null unique, rule text not null, note text, created_at integer not null,
        created_by text not null
      ) without rowid;
      create index domain_rule_list on domain_rule (rule, id);
      create table address_rule (
        hash text primary key, id text not null unique, rule text not null, display text not null, note text,
        created_at integer not null, created_by text not null
      ) without rowid;
      create index address_rule_list on address_rule (rule, id);
      create table rule_version (kind text primary key, version integer not null) without rowid;`,
      // A version is never changed or removed; the highest is in force. A policy's document has up to 256 KB.
      `create table policy (
        slug text not null, version integer not null, document text not null, created_at integer not null,
        created_by text, primary key (slug, version)
      );
      create table losses (
        version integer primary key, document text not null, created_at integer not null, created_by text
      );`,
      // `record` excludes the header (`columns`). `due_at`: when the job next needs work.
      `create table bulk_job (
        id text primary key, mode text not null, state text not null, due_at integer, files_due integer,
        mail_try integer not null, version integer not null, record text not null, columns text not null
      ) without rowid;
      create index bulk_job_due on bulk_job (due_at);
      create index bulk_job_state on bulk_job (state);
      create table bulk_chunk (
        job_id text not null, place integer not null, record text not null, primary key (job_id, place)
      ) without rowid;
      create table bulk_result (
        job_id text not null, begin integer not null, finish integer not null, lease text not null,
        primary key (job_id, begin)
      ) without rowid;`,
      // Keys are 16 bytes of keyed hashes. Contributions exist in two generations: one in force, one being recomputed.
      // `newest`: the time of the newest fact. A row over 1,002 bytes fills pages of its own.
      `create table address_facts (
        name blob primary key, first_seen_at integer not null, host text not null, purpose text not null,
        domain blob not null, list blob, facts text not null, newest integer not null, contribution0 text,
        contribution1 text
      ) without rowid;
      create table group_effect (
        generation integer not null, kind text not null, name blob not null, state text not null,
        primary key (generation, kind, name)
      ) without rowid;
      create table history_state (
        one integer primary key check (one = 0), live integer not null, changed integer not null, errors text not null
      );`,
      // Reports by source, kind of host and six hours: sources' trust, and outages of an operator.
      `create table report_tally (
        source text not null, host text not null, period integer not null, delivered integer not null,
        refused integer not null, primary key (source, host, period)
      ) without rowid;`,
      // Addresses whose rows in Postgres are still to be unlinked. `keeps_users`: the account's users stay.
      `create table erasure (
        address_hash text primary key, at integer not null, keeps_users integer not null
      ) without rowid;`,
      // While `HASH_SECRET` is rotated: the hash of an address or a domain, by the first 16 bytes of an earlier one, and
      // when its rows were last moved.
      `create table rehash (old_name blob primary key, hash blob not null, at integer not null) without rowid;`,
      // Addresses erased while a bulk job's file may contain them: until the file is deleted, its job stores nothing
      // about them.
      `create table erased_mark (mark text primary key, at integer not null) without rowid;`,
    ].join('\n'),
  },
];

/** The operators' object. `at_work`: organisations whose objects have work due soon, and when they last reported it. */
export const OPERATORS_MIGRATIONS: readonly ObjectMigration[] = [
  {
    name: 'baseline',
    sql: `create table known_organisation (id text primary key) without rowid;
      create table at_work (id text primary key, noted_at integer not null) without rowid;
      create table fleet_hour (hour integer primary key, counters text not null);
      create table dead_letter (
        queue text not null, id text not null, at integer not null, body text not null, primary key (queue, id)
      ) without rowid;`,
  },
];

/** All tables of an organisation's object, except the organisation itself and the record of its schema. */
export const CONTENT_TABLES = OBJECT_MIGRATIONS.flatMap(({ sql }) =>
  Array.from(sql.matchAll(/create table (\w+)/g), ([, table = '']) => table),
).filter((table) => table !== 'organisation');
