import type * as z from 'zod';
import type * as contract from '../contract/operator.ts';
import { ROUTES } from '../contract/routes.ts';
import { authorOf } from '../domain/access/keys.ts';
import type { MemberRecord } from '../domain/access/member-records.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS, type Limits, micros, usd } from '../domain/metering/usage.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, newId, parseId } from '../kernel/ids.ts';
import { askObject, callObject, type ObjectDeps, callOperators } from '../organisation/api.ts';
import * as directory from '../storage/postgres/organisations.ts';
import { deleteRemains } from './erasure.ts';
import type { Deps } from './deps.ts';
import { NEEDS_PERSON } from './caller.ts';
import { OPERATORS_ID } from './operators.ts';
import { NEW_ADMIN } from './members.ts';
import { pageOf, readCursor, requireAddress } from './request-values.ts';
import { findPersonId, type JoiningPerson, waitForDirectory } from './people.ts';
import { verb } from './verb.ts';

export const createOrganisation = verb({
  route: ROUTES.createOrganisation,
  run: async ({ deps }, { body }) => ({
    organisation: organisationBody(await insertOrganisation(deps, newId('org', deps.now()), body)),
  }),
});

/** Lists the directory, newest first. */
export const listOrganisations = verb({
  route: ROUTES.listOrganisations,
  parse: ({ query: { limit, cursor } }) => ({ limit, before: readCursor(cursor, 'org') }),
  run: async ({ deps }, { limit, before }) => {
    const listed = await directory.listOrganisations(deps.db, limit + 1, before);
    const { shown, cursor } = pageOf(listed, limit, ({ id }) => id);
    return { organisations: shown.map(organisationBody), cursor };
  },
});

/** Changes name and limits from the next request on. */
export const changeOrganisation = verb({
  route: ROUTES.changeOrganisation,
  run: async ({ deps }, { params, body }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const limits = limitsOf(body);
    // With a rate of 1 no operator could correct it.
    if (id === OPERATORS_ID && Object.keys(limits).length > 0)
      throw new DomainError('invalid_request', 'The limits of the operators’ own organisation can’t be changed.');
    const change = { limits, ...(body.name === undefined ? {} : { name: body.name }) };
    const settings = await askObject(deps.objects, id).configure(change);
    if (settings === null) throw notFound('organisation');
    // The next list reads Postgres and should show the change.
    await callObject(deps.objects, id).flush(null);
    return { organisation: organisationBody(settings) };
  },
});

/**
 * The object's tombstone comes first: from then on keys fail, writes stop, and the organisation is 404. A repeat
 * deletes the rest.
 */
export const deleteOrganisation = verb({
  route: ROUTES.deleteOrganisation,
  run: async ({ deps }, { params }) => {
    const id = parseId('org', params.id);
    if (id === null) throw notFound('organisation');
    requireDeletable(id);
    const known = await askObject(deps.objects, id).settings();
    if (known === null && (await directory.findOrganisation(deps.db, id)) === null) throw notFound('organisation');
    await askObject(deps.objects, id).destroy();
    await deleteRemains(deps, id);
    return { done: true as const };
  },
});

export const createUser = verb({
  route: ROUTES.createUser,
  run: async ({ deps }, { params, body }) => {
    const organisation = await requireOrganisation(deps.objects, params.id);
    // Normalised, so that `forget` finds it in every spelling.
    const { normalised } = requireAddress(body.email);
    const found = await directory.findUserOf(deps.db, organisation.id, normalised);
    // One person has one id in all organisations.
    const id = found?.id ?? (await findPersonId(deps, normalised)) ?? newId('u', deps.now());
    const user = found ?? {
      id,
      organisationId: organisation.id,
      email: normalised,
      name: body.name ?? null,
      createdAt: deps.now(),
    };
    if (found === null) await directory.insertUser(deps.db, user);
    const { email, name, createdAt } = user;
    const member = { userId: id, email, name, role: body.role, createdAt, createdBy: 'operator' } as const;
    const put = await askObject(deps.objects, organisation.id).putMember({ member, actor: 'operator' });
    if (!put.ok) throw new DomainError('invalid_request', 'The organisation has reached its limit of members.');
    return { user: { id, email, name, created_at: epochSeconds(createdAt) } };
  },
});

export const readOwnOrganisation = verb({
  route: ROUTES.ownOrganisation,
  run: async ({ deps, organisationId }) => ({
    organisation: organisationBody(await requireOrganisation(deps.objects, organisationId)),
  }),
});

/** Operators change its limits. */
export const changeOwnOrganisation = verb({
  route: ROUTES.changeOwnOrganisation,
  run: async ({ deps, organisationId, authorized }, { body }) => {
    const { name, second_factor: secondFactor } = body;
    // Only a person changes who may sign in, and never so that they lock themselves out.
    if (secondFactor !== undefined && authorized.isFresh !== true) throw new DomainError('forbidden', NEEDS_PERSON);
    if (secondFactor === true && authorized.hasSecondFactor !== true)
      throw new DomainError('forbidden', 'Use a second factor of your own first: a passkey, or an authenticator app.');
    const change = {
      ...authorOf(authorized.key),
      ...(name !== undefined && { name }),
      ...(secondFactor !== undefined && { secondFactor }),
    };
    return { organisation: organisationBody(await askObject(deps.objects, organisationId).changeOrganisation(change)) };
  },
});

/** The tombstone comes first, as in the operators' call. The nightly run deletes what fails after it. */
export const deleteOwnOrganisation = verb({
  route: ROUTES.deleteOwnOrganisation,
  run: async ({ deps, organisationId, authorized: { key } }) => {
    requireDeletable(organisationId);
    const membership = key.userId && (await askObject(deps.objects, organisationId).memberOf({ userId: key.userId }));
    if (membership?.isNewAdmin === true) throw NEW_ADMIN;
    await askObject(deps.objects, organisationId).destroy();
    await deleteRemains(deps, organisationId);
    return { done: true as const };
  },
});

function requireDeletable(id: Id<'org'>): void {
  if (id === OPERATORS_ID)
    throw new DomainError('invalid_request', 'The operators’ own organisation can’t be deleted.');
}

/**
 * An organisation that a person makes, as its admin. It has a small allowance, and no budget for providers and
 * enrichment until an operator grants one.
 */
export async function createOrganisationFor(
  deps: Pick<Deps, 'db' | 'objects' | 'now' | 'signupQuota'>,
  { id: text, email, name }: JoiningPerson,
  organisationName: string,
): Promise<{ readonly id: string }> {
  const userId = parseId('u', text);
  if (userId === null) throw new Error('the person has no id');
  const named = organisationName.trim().slice(0, 200);
  const { signupQuota } = deps;
  const limits = {
    verification_quota: signupQuota,
    screening_allowance: signupQuota,
    enrichment_budget_usd: 0,
    provider_budget_usd: 0,
  };
  const admin = { userId, email, name, role: 'admin', createdAt: deps.now(), createdBy: userId } as const;
  const body = { ...limits, ...(named !== '' && { name: named }) };
  const { id } = await insertOrganisation(deps, newId('org', deps.now()), body, admin);
  await waitForDirectory(deps.db, userId, id);
  return { id };
}

export type CreateOrganisation = z.output<typeof contract.CreateOrganisation>;

export async function insertOrganisation(
  deps: Pick<Deps, 'db' | 'objects' | 'now'>,
  id: Id<'org'>,
  body: CreateOrganisation,
  admin?: MemberRecord,
): Promise<OrganisationSettings> {
  const settings: OrganisationSettings = {
    id,
    accountId: newId('acct', deps.now()),
    name: body.name ?? 'Personal org',
    limits: { ...DEFAULT_LIMITS, ...limitsOf(body) },
    privacy: null,
    alerts: null,
    secondFactor: false,
    createdAt: deps.now(),
    version: 1,
  };
  // The directory first: an organisation known only to its object can't be found again.
  await directory.upsertOrganisations(deps.db, [settings]);
  // If this fails, the night adds it.
  await callOperators(deps.objects).noteOrganisations([id]);
  await askObject(deps.objects, id).create(settings, admin);
  return settings;
}

/** The organisation of this id, or a refusal. Asks only the object: a tombstone counts at once. */
export async function requireOrganisation(objects: ObjectDeps, text: string): Promise<OrganisationSettings> {
  const id = parseId('org', text);
  const settings = id === null ? null : await askObject(objects, id).settings();
  if (settings === null) throw NO_ORGANISATION;
  if (settings === 'deleted') throw notFound('organisation');
  return settings;
}

const NO_ORGANISATION = new DomainError(
  'not_found',
  'This organisation does not exist. If `org list` shows it, its object is lost: `org rebuild` fills it again.',
);

export const notFound = (what: string): DomainError => new DomainError('not_found', `This ${what} does not exist.`);

function limitsOf(body: CreateOrganisation): Partial<Limits> {
  return {
    ...(body.verification_quota === undefined ? {} : { verificationQuota: body.verification_quota }),
    ...(body.screening_allowance === undefined ? {} : { screeningAllowance: body.screening_allowance }),
    ...(body.enrichment_budget_usd === undefined ? {} : { enrichmentBudgetMicros: micros(body.enrichment_budget_usd) }),
    ...(body.provider_budget_usd === undefined
      ? {}
      : { providerBudgetMicros: body.provider_budget_usd === null ? null : micros(body.provider_budget_usd) }),
    ...(body.rate_per_minute === undefined ? {} : { ratePerMinute: body.rate_per_minute }),
  };
}

export function organisationBody({
  id,
  accountId,
  name,
  limits,
  secondFactor,
  createdAt,
}: OrganisationSettings): contract.Organisation {
  return {
    id,
    account_id: accountId,
    name,
    verification_quota: limits.verificationQuota,
    screening_allowance: limits.screeningAllowance,
    enrichment_budget_usd: usd(limits.enrichmentBudgetMicros),
    provider_budget_usd: limits.providerBudgetMicros && usd(limits.providerBudgetMicros),
    rate_per_minute: limits.ratePerMinute,
    second_factor: secondFactor,
    created_at: epochSeconds(createdAt),
  };
}
