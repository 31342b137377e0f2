import { ROUTES } from '../../contract/routes.ts';
import type { OrganisationSettings, RetentionDays } from '../../domain/metering/organisation-settings.ts';
import { retentionOf } from '../../domain/privacy/retention.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';

const body = (settings: OrganisationSettings | 'deleted' | null) => ({
  retention: retentionOf(settings === 'deleted' ? null : settings?.privacy),
});

export const readRetention = verb({
  route: ROUTES.retention,
  run: async ({ deps, organisationId }) => body(await askObject(deps.objects, organisationId).settings()),
});

export const putRetention = verb({
  route: ROUTES.putRetention,
  run: async ({ deps, organisationId, admitted: { key } }, { body: asked }) => {
    // Without what was left out.
    const retention = JSON.parse(JSON.stringify(asked)) as { [K in keyof RetentionDays]?: number | null };
    const change = { actor: key.userId ?? key.id, privacy: { retention } };
    return body(await askObject(deps.objects, organisationId).changeOrganisation(change));
  },
});
