import type { Id } from '../../kernel/ids.ts';
import type { Limits } from './usage.ts';

/** An organisation as its object keeps it. */
export interface OrganisationSettings {
  readonly id: Id<'org'>;
  readonly accountId: Id<'acct'>;
  readonly name: string;
  readonly limits: Limits;
  readonly createdAt: number;
  /** Goes up with every change, so that the projection never goes back. */
  readonly version: number;
}
