import type { SubprocessorBody } from '../contract/privacy.ts';
import { ROUTES } from '../contract/routes.ts';
import { authorOf } from '../domain/access/keys.ts';
import { PROVIDER_IDS } from '../domain/belief/provider.ts';
import {
  ALLOWANCES,
  type OrganisationSettings,
  type RetentionDays,
  SHARES,
  isAlertOff,
} from '../domain/metering/organisation-settings.ts';
import { ENRICHMENT_VENDOR_IDS } from '../domain/policy/enrichment.ts';
import { retentionOf, type Subprocessor, SUBPROCESSORS } from '../domain/privacy/data-handling.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import type { Deps } from './deps.ts';
import { requireOrganisation } from './organisations.ts';
import { verb } from './verb.ts';

const alertsBody = ({ alerts }: OrganisationSettings) => ({
  alerts: ALLOWANCES.flatMap((of) =>
    SHARES.toReversed().map((share) => ({ of, share, enabled: !isAlertOff(alerts, { of, share }) })),
  ),
  recipients: alerts?.recipients ? [...alerts.recipients] : null,
});

export const readAlerts = verb({
  route: ROUTES.alerts,
  run: async ({ deps, organisationId }) => alertsBody(await requireOrganisation(deps.objects, organisationId)),
});

/** Alerts go to members only. */
export const putAlerts = verb({
  route: ROUTES.putAlerts,
  run: async ({ deps, organisationId, authorized }, { body: { alerts, recipients } }) => {
    const object = askObject(deps.objects, organisationId);
    const chosen = recipients && (await memberIds(() => object.listMembers(), recipients));
    const change = {
      ...(alerts !== undefined && { alerts }),
      ...(chosen !== undefined && { recipients: chosen }),
    };
    return alertsBody(await object.changeOrganisation({ ...authorOf(authorized.key), alerts: change }));
  },
});

async function memberIds(
  listMembers: () => Promise<readonly { readonly userId: Id<'u'> }[]>,
  wanted: readonly string[],
): Promise<readonly Id<'u'>[]> {
  const members = (await listMembers()).map(({ userId }) => userId);
  const unknown = wanted.findIndex((id) => !members.some((member) => member === id));
  if (unknown !== -1) throw new DomainError('invalid_request', `\`recipients[${unknown}]\` must be a member's id.`);
  return members.filter((id) => wanted.includes(id));
}

const retentionBody = (settings: OrganisationSettings | 'deleted' | null) => ({
  retention: retentionOf(settings === 'deleted' ? null : settings?.privacy),
});

export const readRetention = verb({
  route: ROUTES.retention,
  run: async ({ deps, organisationId }) => retentionBody(await askObject(deps.objects, organisationId).settings()),
});

export const putRetention = verb({
  route: ROUTES.putRetention,
  run: async ({ deps, organisationId, authorized: { key } }, { body: asked }) => {
    // Drops omitted fields.
    const retention = JSON.parse(JSON.stringify(asked)) as { [K in keyof RetentionDays]?: number | null };
    const change = { ...authorOf(key), privacy: { retention } };
    return retentionBody(await askObject(deps.objects, organisationId).changeOrganisation(change));
  },
});

/** The companies that this deployment's settings name. */
function configured({ vendors }: Pick<Deps, 'vendors'>): readonly Subprocessor[] {
  const { providers, enrichment, model, mail, resolvers } = vendors;
  const at = (row: Subprocessor, host: string | null): Subprocessor => ({ ...row, host: host ?? row.host });
  return [
    ...providers.map(({ id, host }) => at(SUBPROCESSORS.verification(id), host)),
    ...enrichment.map(({ id, host }) => at(SUBPROCESSORS.enrichment(id), host)),
    ...(model === null ? [] : [at(SUBPROCESSORS.model[model.backend], model.host)]),
    ...(mail === null ? [] : [at(SUBPROCESSORS.resend, mail.host)]),
    ...resolvers.map(SUBPROCESSORS.resolver),
    SUBPROCESSORS.neon,
    SUBPROCESSORS.cloudflare,
  ];
}

/** Includes a vendor disabled by settings: if enabled later, it stays off for the account. */
function known(deps: Pick<Deps, 'vendors'>, id: string): Subprocessor | undefined {
  const vendors = [
    ...PROVIDER_IDS.map(SUBPROCESSORS.verification),
    ...ENRICHMENT_VENDOR_IDS.map(SUBPROCESSORS.enrichment),
    SUBPROCESSORS.model['workers-ai'],
  ];
  return [...configured(deps), ...vendors].find((row) => row.id === id);
}

function subprocessorBody(row: Subprocessor, off: readonly string[]): SubprocessorBody {
  const { id, kind, name, sent, getsAddress, host, retention, isSwitchable } = row;
  return {
    id,
    kind,
    name,
    sent: [...sent],
    gets_address: getsAddress,
    host,
    retention: retention && { says: retention.says, source: retention.source, read_on: retention.readOn },
    switchable: isSwitchable,
    enabled: !off.includes(id),
  };
}

export const listSubprocessors = verb({
  route: ROUTES.subprocessors,
  run: async ({ deps, authorized }) => ({
    subprocessors: configured(deps).map((row) => subprocessorBody(row, authorized.off)),
  }),
});

export const switchSubprocessor = verb({
  route: ROUTES.switchSubprocessor,
  run: async ({ deps, organisationId, authorized }, { params: { id }, body: { enabled } }) => {
    const row = known(deps, id);
    if (row === undefined) throw new DomainError('not_found', 'This subprocessor does not exist.');
    if (!row.isSwitchable) throw new DomainError('conflict', 'The service does not work without this one.');
    const { key } = authorized;
    const change = { ...authorOf(key), privacy: { vendor: { id, enabled } } };
    const settings = await askObject(deps.objects, organisationId).changeOrganisation(change);
    return { subprocessor: subprocessorBody(row, settings.privacy?.off ?? []) };
  },
});
