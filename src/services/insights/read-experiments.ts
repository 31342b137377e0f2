import { ROUTES } from '../../contract/routes.ts';
import { experimentsOf } from '../../domain/insights/experiments.ts';
import type { ParsedPolicy } from '../../domain/policy/document.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { listArms } from '../../storage/postgres/insights/read.ts';
import { verb } from '../verb.ts';
import { computed, openWindow } from './window.ts';

/** Compares the arms of the experiments in the policy's newest version. */
export const readExperiments = verb({
  route: ROUTES.experiments,
  run: async (context, { params: { slug }, query }) => {
    const { deps, organisationId } = context;
    const window = await openWindow(context, query);
    const found = await askObject(deps.objects, organisationId).readPolicy({ slug, version: null });
    if (found === null) throw new DomainError('not_found', 'This policy does not exist.');
    const { rules } = JSON.parse(found.document) as ParsedPolicy;
    const counts = window.computedAt === null ? [] : await listArms(deps.db, organisationId, slug, query.window_days);
    return { experiments: experimentsOf(slug, rules, counts, query.metric), ...computed(window) };
  },
});
