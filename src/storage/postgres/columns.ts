import { bigint, customType, text } from 'drizzle-orm/pg-core';
import type { KeyRecord } from '../../domain/access/keys.ts';
import { type Id, type IdPrefix, idFromUuid, idToUuid } from '../../kernel/ids.ts';

/** Epoch milliseconds: a number reads the same in every driver. */
export const time = (name: string) => bigint(name, { mode: 'number' });

/** Whole millionths of a dollar. */
export const amount = (name: string) => bigint(name, { mode: 'number' });

export const organisationId = () => text('organisation_id').$type<Id<'org'>>().notNull();
export const keyMode = () => text('mode').$type<KeyRecord['mode']>().notNull();
export const writingKey = () => text('key_id').$type<Id<'key'>>();

/** The UUID inside an id of one kind; rows have the whole id. */
export const idColumn = <P extends IdPrefix>(prefix: P, name: string) =>
  customType<{ data: Id<P>; driverData: string }>({
    dataType: () => 'uuid',
    toDriver: idToUuid,
    fromDriver: (uuid) => idFromUuid(prefix, uuid),
  })(name);

/** Words, one a line; rows have them as a list. */
export const lines = customType<{ data: readonly string[]; driverData: string }>({
  dataType: () => 'text',
  toDriver: (words) => words.join('\n'),
  fromDriver: (stored) => (stored === '' ? [] : stored.split('\n')),
});

/** A table of these records: `satisfies Holds<Record>` fails to compile if a field lacks a column of its type. */
export interface Holds<R> {
  readonly $inferSelect: { readonly [K in keyof R]-?: R[K] };
}
