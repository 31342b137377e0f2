import type * as z from 'zod';
import type * as contract from '../../contract/operator.ts';
import { bootstrapKeyId } from '../../domain/access/bootstrap-token.ts';
import { issueKey, type KeySecret, keyVersion } from '../../domain/access/key-format.ts';
import type { KeyRecord } from '../../domain/access/key-record.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS, type Limits, micros, usd } from '../../domain/metering/usage.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, newId, parseId, systemRandom } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import {
  askObject,
  type BulkPort,
  callObject,
  type ObjectDeps,
  type OperationsPort,
  type OrganisationStub,
  PORT_VERSION,
} from '../../organisation/api.ts';
import { listProjectedKeys } from '../../storage/postgres/access.ts';
import { listProjectedJobs } from '../../storage/postgres/bulk.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findUsage } from '../../storage/postgres/metering.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import { listProjectedRules } from '../../storage/postgres/rules.ts';
import type { Blobs } from '../../storage/r2.ts';
import { restoreCalibration } from '../calibration/calibration.ts';
import { allPolicies } from '../traces/pages.ts';
import { deleteRemains } from './delete-organisation.ts';
import { forgetAddress, requireAddress, requireCursor } from './forget.ts';
import { OPERATORS_ID } from './operators.ts';

type Input<S extends z.ZodType> = z.output<S>;
type CreateOrganisation = Input<typeof contract.CreateOrganisation>;
type CreateKey = Input<typeof contract.CreateKey>;

export interface OperatorDeps {
  readonly db: Database;
  readonly objects: ObjectDeps<OrganisationStub & BulkPort & OperationsPort>;
  /** The current secret of keys first, then the previous ones. Throws where a setting is wrong. */
  keySecrets(): readonly [KeySecret, ...KeySecret[]];
  /** The keyed hash of a normalised address within an organisation. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
  /** Where evidence about addresses is kept. */
  readonly facts: { delete(key: string): Promise<void> };
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
}

const PERSONAL_NAME = 'Personal org';

/** What whoever runs the service can do. The caller's operator key has been admitted before any of it. */
export function operatorServices(deps: OperatorDeps) {
  const { db, objects } = deps;
  const now = objects.now;

  /** An object out of reach is a failure here, never a half-done change. */
  const ask = <T>(id: Id<'org'>, name: string, call: (stub: OrganisationStub & BulkPort) => Promise<T>): Promise<T> =>
    askObject(objects, id, name, call, OPERATOR_TIMEOUT_MS);

  async function create(id: Id<'org'>, body: CreateOrganisation): Promise<OrganisationSettings> {
    const settings: OrganisationSettings = {
      id,
      accountId: newId('acct', now()),
      name: body.name ?? PERSONAL_NAME,
      limits: { ...DEFAULT_LIMITS, ...limitsOf(body) },
      createdAt: now(),
      version: 1,
    };
    // The directory first: an organisation that only its object knows could never be found again.
    await directory.upsertOrganisations(db, [settings]);
    // The sweep notes it in five minutes where this fails.
    await callObject(objects, OPERATORS_ID, 'noteOrganisations', (stub) => stub.noteOrganisations([id]));
    await ask(id, 'create', (stub) => stub.create(settings));
    return settings;
  }

  /** `keyId` is one that only this call may use; it may be one whose key was made before. */
  async function issue(id: Id<'org'>, body: CreateKey, operator: boolean, keyId = newId('key', now())) {
    const random = new Uint8Array(16);
    systemRandom(random);
    const mode = body.test ? 'test' : 'live';
    const key = issueKey(deps.keySecrets()[0], { organisationId: id, mode, role: body.role, operator }, random);
    const record: KeyRecord = {
      id: keyId,
      hash: sha256Hex(key),
      last4: key.slice(-4),
      name: body.name,
      role: body.role,
      mode,
      origin: body.origin,
      operator,
      userId: body.user_id === undefined ? null : await requireUser(id, body.user_id),
      secretVersion: keyVersion(key),
      createdAt: now(),
      revokedAt: null,
    };
    const isNew = await ask(id, 'insertKey', (stub) => stub.insertKey(record));
    // Not new is also what our own transport sent twice.
    const isHeld =
      isNew || (await ask(id, 'listKeys', (stub) => stub.listKeys())).some(({ hash }) => hash === record.hash);
    if (!isHeld) throw new DomainError('unauthorized', 'The bootstrap token has been used: `bootstrap` makes another.');
    return { key: { ...keyBody(record), key } };
  }

  async function requireUser(organisationId: Id<'org'>, text: string): Promise<Id<'u'>> {
    const id = parseId('u', text);
    if (id === null || !(await directory.hasUser(db, organisationId, id))) throw notFound('user');
    return id;
  }

  function keyBody(key: KeyRecord): contract.Key {
    const { id, name, role, origin, operator, last4 } = key;
    return {
      ...{ id, name, role, origin, operator, last4 },
      test: key.mode === 'test',
      owner_user_id: key.userId,
      created_at: epochSeconds(key.createdAt),
      revoked_at: key.revokedAt === null ? null : epochSeconds(key.revokedAt),
      secret_current: deps.keySecrets()[0].version === key.secretVersion,
      secret_known: deps.keySecrets().some((secret) => secret.version === key.secretVersion),
    };
  }

  return {
    /** The token is good once: its use is the key that it made. */
    async bootstrap(token: string) {
      const settings = await ask(OPERATORS_ID, 'settings', (stub) => stub.settings());
      if (settings === null) await create(OPERATORS_ID, { name: 'Operators' });
      const key = { name: 'operator', role: 'admin', origin: 'manual', test: false } as const;
      return issue(OPERATORS_ID, key, true, bootstrapKeyId(token));
    },

    async createOrganisation(body: CreateOrganisation) {
      return { organisation: organisationBody(await create(newId('org', now()), body)) };
    },

    async listOrganisations({ limit, cursor }: Input<typeof contract.OrganisationQuery>) {
      const listed = await directory.listOrganisations(db, limit + 1, requireCursor(cursor));
      const page = listed.slice(0, limit);
      return {
        organisations: page.map(organisationBody),
        cursor: listed.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    },

    async changeOrganisation(idText: string, body: CreateOrganisation) {
      const { id } = await requireOrganisation(objects, idText);
      const limits = limitsOf(body);
      // A rate of 1 would keep everybody from setting it right again.
      if (id === OPERATORS_ID && Object.keys(limits).length > 0)
        throw new DomainError('invalid_request', 'The limits of the operators’ own organisation can’t be changed.');
      const change = { limits, ...(body.name === undefined ? {} : { name: body.name }) };
      const settings = await ask(id, 'configure', (stub) => stub.configure(change));
      if (settings === null) throw notFound('organisation');
      // So that the next list shows it, where Postgres is at hand.
      await callObject(objects, id, 'flush', (stub) => stub.flush(null), OPERATOR_TIMEOUT_MS);
      return { organisation: organisationBody(settings) };
    },

    /** The tombstone first: from here on no key works, nothing more is written, and all else is 404. A repeat finishes it. */
    async deleteOrganisation(idText: string) {
      const id = parseId('org', idText);
      if (id === null) throw notFound('organisation');
      if (id === OPERATORS_ID)
        throw new DomainError('invalid_request', 'The operators’ own organisation can’t be deleted.');
      const known = await ask(id, 'settings', (stub) => stub.settings());
      if (known === null && (await directory.findOrganisation(db, id)) === null) throw notFound('organisation');
      await ask(id, 'destroy', (stub) => stub.destroy());
      await deleteRemains(deps, id);
      return { done: true as const };
    },

    async rebuildOrganisation(idText: string) {
      const id = parseId('org', idText);
      if (id === null || (await ask(id, 'settings', (stub) => stub.settings())) === 'deleted')
        throw notFound('organisation');
      const settings = await directory.findOrganisation(db, id);
      if (settings === null) throw notFound('organisation');
      const [keys, usage, rules, jobs] = await Promise.all([
        listProjectedKeys(db, id),
        findUsage(db, id),
        listProjectedRules(db, id),
        listProjectedJobs(db, id),
      ]);
      for await (const page of allPolicies(db, id))
        await ask(id, 'restorePolicies', (stub) => stub.restorePolicies(page));
      await ask(id, 'rebuild', (stub) => stub.rebuild({ settings, keys, usage, rules }));
      await restoreCalibration({ db, objects }, id);
      await ask(id, 'restoreJobs', (stub) => stub.restoreJobs({ v: PORT_VERSION, jobs }));
      return { organisation: organisationBody(settings) };
    },

    async createKey(idText: string, body: CreateKey) {
      return issue((await requireOrganisation(objects, idText)).id, body, false);
    },

    async listKeys(idText: string) {
      const { id } = await requireOrganisation(objects, idText);
      const keys = await ask(id, 'listKeys', (stub) => stub.listKeys());
      return { keys: keys.map(keyBody) };
    },

    async revokeKey(idText: string, keyIdText: string) {
      const { id } = await requireOrganisation(objects, idText);
      const keyId = parseId('key', keyIdText);
      const key = keyId === null ? null : await ask(id, 'revokeKey', (stub) => stub.revokeKey(keyId));
      if (key === null) throw notFound('key');
      return { key: keyBody(key) };
    },

    async createUser(idText: string, body: Input<typeof contract.CreateUser>) {
      const organisation = await requireOrganisation(objects, idText);
      const user = {
        id: newId('u', now()),
        organisationId: organisation.id,
        // In the form that equality goes by, so that erasure finds it in every spelling.
        email: requireAddress(body.email).normalised,
        name: body.name ?? null,
        createdAt: now(),
      };
      await directory.insertUser(db, user);
      const { id, email, name, createdAt } = user;
      return { user: { id, email, name, created_at: epochSeconds(createdAt) } };
    },

    forget: (body: Input<typeof contract.ForgetRequest>) => forgetAddress(deps, body),
  };
}

/** An operator waits longer than a signup: a rebuild moves everything. */
const OPERATOR_TIMEOUT_MS = 20_000;

/** The organisation of this id, or a refusal. Its object alone is asked: a tombstone counts before all else is deleted. */
export async function requireOrganisation(objects: ObjectDeps, text: string): Promise<OrganisationSettings> {
  const id = parseId('org', text);
  const settings = id === null ? null : await askObject(objects, id, 'settings', (stub) => stub.settings());
  if (settings === null) throw NO_ORGANISATION;
  if (settings === 'deleted') throw notFound('organisation');
  return settings;
}

const NO_ORGANISATION = new DomainError(
  'not_found',
  'There is no such organisation. If `org list` shows it, its object is lost: `org rebuild` fills it again.',
);

const notFound = (what: string): DomainError => new DomainError('not_found', `There is no such ${what}.`);

function limitsOf(body: CreateOrganisation): Partial<Limits> {
  return {
    ...(body.verification_quota === undefined ? {} : { verificationQuota: body.verification_quota }),
    ...(body.screening_allowance === undefined ? {} : { screeningAllowance: body.screening_allowance }),
    ...(body.enrichment_budget_usd === undefined ? {} : { enrichmentBudgetMicros: micros(body.enrichment_budget_usd) }),
    ...(body.rate_per_minute === undefined ? {} : { ratePerMinute: body.rate_per_minute }),
  };
}

function organisationBody({ id, accountId, name, limits, createdAt }: OrganisationSettings): contract.Organisation {
  return {
    id,
    account_id: accountId,
    name,
    verification_quota: limits.verificationQuota,
    screening_allowance: limits.screeningAllowance,
    enrichment_budget_usd: usd(limits.enrichmentBudgetMicros),
    rate_per_minute: limits.ratePerMinute,
    created_at: epochSeconds(createdAt),
  };
}
