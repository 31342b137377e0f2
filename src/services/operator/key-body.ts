import type { Key } from '../../contract/operator.ts';
import { isDashboardKey, type KeyRecord } from '../../domain/access/key-record.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { ServiceDeps } from '../deps.ts';

export function keyBody({ keySecrets }: Pick<ServiceDeps, 'keySecrets'>, key: KeyRecord): Key {
  const { id, name, role, origin, operator, last4 } = key;
  return {
    id,
    name,
    role,
    origin,
    operator,
    last4,
    test: key.mode === 'test',
    owner_user_id: key.userId,
    created_at: epochSeconds(key.createdAt),
    revoked_at: key.revokedAt === null ? null : epochSeconds(key.revokedAt),
    secret_current: isDashboardKey(key) || keySecrets()[0].version === key.secretVersion,
    secret_known: isDashboardKey(key) || keySecrets().some((secret) => secret.version === key.secretVersion),
  };
}
