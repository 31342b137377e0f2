import type { SubprocessorBody } from '../../contract/privacy.ts';
import { ROUTES } from '../../contract/routes.ts';
import { PROVIDER_IDS } from '../../domain/belief/provider.ts';
import { ENRICHMENT_VENDOR_IDS } from '../../domain/policy/enrichment/vendor.ts';
import { SUBPROCESSORS, type Subprocessor } from '../../domain/privacy/subprocessors.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import type { Deps } from '../deps.ts';
import { verb } from '../verb.ts';

/** The companies that this deployment uses, as its settings have them. */
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

/** Also of a vendor that settings have off: should they switch it on, it stays off for the account. */
function known(deps: Pick<Deps, 'vendors'>, id: string): Subprocessor | undefined {
  const vendors = [
    ...PROVIDER_IDS.map(SUBPROCESSORS.verification),
    ...ENRICHMENT_VENDOR_IDS.map(SUBPROCESSORS.enrichment),
    SUBPROCESSORS.model['workers-ai'],
  ];
  return [...configured(deps), ...vendors].find((row) => row.id === id);
}

function bodyOf(row: Subprocessor, off: readonly string[]): SubprocessorBody {
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
  run: async ({ deps, admitted }) => ({
    subprocessors: configured(deps).map((row) => bodyOf(row, admitted.off)),
  }),
});

export const switchSubprocessor = verb({
  route: ROUTES.switchSubprocessor,
  run: async ({ deps, organisationId, admitted }, { params: { id }, body: { enabled } }) => {
    const row = known(deps, id);
    if (row === undefined) throw new DomainError('not_found', 'This subprocessor does not exist.');
    if (!row.isSwitchable) throw new DomainError('conflict', 'The service does not work without this one.');
    const { key } = admitted;
    const change = { actor: key.userId ?? key.id, privacy: { vendor: { id, enabled } } };
    const settings = await askObject(deps.objects, organisationId).changeOrganisation(change);
    return { subprocessor: bodyOf(row, settings.privacy?.off ?? []) };
  },
});
