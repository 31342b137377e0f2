import { ROUTES } from '../../contract/routes.ts';
import { actorOf } from '../../domain/access/key-record.ts';
import { ALLOWANCES, SHARES } from '../../domain/metering/alerts.ts';
import { isAlertOff, type OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { requireOrganisation } from './organisations.ts';

const body = ({ alerts }: OrganisationSettings) => ({
  alerts: ALLOWANCES.flatMap((of) =>
    SHARES.toReversed().map((share) => ({ of, share, enabled: !isAlertOff(alerts, { of, share }) })),
  ),
  recipients: alerts?.recipients ? [...alerts.recipients] : null,
});

export const readAlerts = verb({
  route: ROUTES.alerts,
  run: async ({ deps, organisationId }) => body(await requireOrganisation(deps.objects, organisationId)),
});

/** Alerts go to members alone. */
export const putAlerts = verb({
  route: ROUTES.putAlerts,
  run: async ({ deps, organisationId, admitted }, { body: { alerts, recipients } }) => {
    const object = askObject(deps.objects, organisationId);
    const chosen = recipients && (await memberIds(() => object.listMembers(), recipients));
    const change = {
      ...(alerts !== undefined && { alerts }),
      ...(chosen !== undefined && { recipients: chosen }),
    };
    return body(await object.changeOrganisation({ actor: actorOf(admitted.key), alerts: change }));
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
