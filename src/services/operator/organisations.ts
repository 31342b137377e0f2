import type * as z from 'zod';
import type * as contract from '../../contract/operator.ts';
import type { MemberRecord } from '../../domain/access/member-records.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS, type Limits, micros, usd } from '../../domain/metering/usage.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, newId, parseId } from '../../kernel/ids.ts';
import { askObject, callOperators, type ObjectDeps } from '../../organisation/api.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import type { Deps } from '../deps.ts';

export type CreateOrganisation = z.output<typeof contract.CreateOrganisation>;

const PERSONAL_NAME = 'Personal org';

export async function insertOrganisation(
  deps: Pick<Deps, 'db' | 'objects' | 'now'>,
  id: Id<'org'>,
  body: CreateOrganisation,
  admin?: MemberRecord,
): Promise<OrganisationSettings> {
  const settings: OrganisationSettings = {
    id,
    accountId: newId('acct', deps.now()),
    name: body.name ?? PERSONAL_NAME,
    limits: { ...DEFAULT_LIMITS, ...limitsOf(body) },
    privacy: null,
    alerts: null,
    createdAt: deps.now(),
    version: 1,
  };
  // The directory first: an organisation that only its object knows can't be found again.
  await directory.upsertOrganisations(deps.db, [settings]);
  // Where this fails, the night notes it.
  await callOperators(deps.objects).noteOrganisations([id]);
  await askObject(deps.objects, id).create(settings, admin);
  return settings;
}

/** The organisation of this id, or a refusal. It asks the object alone: a tombstone counts while other data is still there. */
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

export function limitsOf(body: CreateOrganisation): Partial<Limits> {
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

const providerBudgetUsd = ({ providerBudgetMicros }: Limits): number | null =>
  providerBudgetMicros && usd(providerBudgetMicros);

export function organisationBody({
  id,
  accountId,
  name,
  limits,
  createdAt,
}: OrganisationSettings): contract.Organisation {
  return {
    id,
    account_id: accountId,
    name,
    verification_quota: limits.verificationQuota,
    screening_allowance: limits.screeningAllowance,
    enrichment_budget_usd: usd(limits.enrichmentBudgetMicros),
    provider_budget_usd: providerBudgetUsd(limits),
    rate_per_minute: limits.ratePerMinute,
    created_at: epochSeconds(createdAt),
  };
}
