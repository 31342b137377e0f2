import type { AuditAction } from '../contract/access.ts';
import { ROUTES } from '../contract/routes.ts';
import type { Author } from '../domain/access/keys.ts';
import { epochSeconds, SECOND_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import type { Deps } from './deps.ts';
import { pageOf, readCursor } from './request-values.ts';
import { verb } from './verb.ts';

export const listAudit = verb({
  route: ROUTES.audit,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'au') }),
  run: async ({ deps, organisationId }, { query: { limit, from, to, action, actor }, before }) => {
    const listed = await askObject(deps.objects, organisationId).listAudit({
      limit: limit + 1,
      before,
      action,
      actor,
      fromMs: from === undefined ? undefined : from * SECOND_MS,
      toMs: to === undefined ? undefined : to * SECOND_MS,
    });
    const { shown, cursor } = pageOf(listed, limit, ({ id }) => id);
    return {
      entries: shown.map(({ keyId, ...entry }) => ({ ...entry, at: epochSeconds(entry.at), key_id: keyId })),
      cursor,
    };
  },
});

/** Adds an audit entry for a change outside the organisation's object. */
export async function noteChange(
  { objects }: Pick<Deps, 'objects'>,
  organisationId: Id<'org'>,
  author: Author,
  action: AuditAction,
  target: string,
  summary = '',
): Promise<void> {
  await askObject(objects, organisationId).noteAudit({ note: { ...author, action, target, summary } });
}
