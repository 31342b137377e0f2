export { bootstrapKeyId, isBootstrapToken, mintBootstrapToken } from './bootstrap-token.ts';
export {
  issueKey,
  type KeyClaims,
  type KeyMode,
  type KeySecret,
  keySecret,
  keyVersion,
  type Role,
  readKey,
} from './key-format.ts';
export type { KeyIdentity, KeyRecord } from './key-record.ts';
export { type KeyOrigin, roleAllows, seesWholeOrganisation } from './roles.ts';
