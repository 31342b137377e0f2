import { type Id, parseId } from '../../kernel/ids.ts';
import type { KeyIdentity } from './key-record.ts';
import { seesWholeOrganisation } from './roles.ts';

/**
 * The key whose rows are shown to `key` when it asks for those of `asked`; null: the rows of all keys. A key that may not see
 * the whole organisation sees its own rows or none.
 */
export function writtenBy(key: KeyIdentity, asked: string | undefined): Id<'key'> | null | 'none' {
  const mine = seesWholeOrganisation(key) ? null : key.id;
  if (asked === undefined) return mine;
  const wanted = parseId('key', asked);
  return wanted === null || (mine !== null && wanted !== mine) ? 'none' : wanted;
}
