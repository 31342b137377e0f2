import { bigint, boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/**
 * What better-auth keeps of people. The fields have its names. The dashboard's Worker alone reads and writes these tables;
 * who belongs to which organisation is the API's to say.
 */
const time = (name: string) => timestamp(name, { withTimezone: true });
const made = () => ({ createdAt: time('created_at').notNull(), updatedAt: time('updated_at').notNull() });

export const authUser = pgTable('auth_user', {
  /** The API's `u_` id. */
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull(),
  image: text('image'),
  /** An authenticator app is set up. */
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  ...made(),
});

const userId = () =>
  text('user_id')
    .notNull()
    .references(() => authUser.id, { onDelete: 'cascade' });

export const authSession = pgTable(
  'auth_session',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: userId(),
    expiresAt: time('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** When the session's person proved a second factor: a passkey, or a code of the authenticator app. Null: not yet. */
    secondFactorAt: time('second_factor_at'),
    ...made(),
  },
  (table) => [index('auth_session_user').on(table.userId)],
);

/** Required by better-auth; without passwords and providers it stays empty. */
export const authAccount = pgTable(
  'auth_account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: userId(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: time('access_token_expires_at'),
    refreshTokenExpiresAt: time('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    ...made(),
  },
  (table) => [index('auth_account_user').on(table.userId)],
);

/** Links that were not used yet, by the hash of their token, and challenges of passkeys. */
export const authVerification = pgTable(
  'auth_verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: time('expires_at').notNull(),
    ...made(),
  },
  (table) => [index('auth_verification_identifier').on(table.identifier)],
);

export const authPasskey = pgTable(
  'auth_passkey',
  {
    id: text('id').primaryKey(),
    name: text('name'),
    publicKey: text('public_key').notNull(),
    userId: userId(),
    credentialID: text('credential_id').notNull(),
    counter: integer('counter').notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    createdAt: time('created_at'),
    aaguid: text('aaguid'),
  },
  (table) => [index('auth_passkey_user').on(table.userId), index('auth_passkey_credential').on(table.credentialID)],
);

/** A person's authenticator app: its secret and the backup codes, both sealed under `AUTH_SECRET`. */
export const authTwoFactor = pgTable(
  'auth_two_factor',
  {
    id: text('id').primaryKey(),
    userId: userId(),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    /** A first code was right: from then on sign-in asks for one. */
    verified: boolean('verified').notNull(),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: time('locked_until'),
  },
  (table) => [index('auth_two_factor_user').on(table.userId)],
);

/** How often something was tried in a window. The key is a keyed hash: no address of a person or a network stands here. */
export const authRate = pgTable('auth_rate', {
  key: text('key').primaryKey(),
  /** Epoch milliseconds. */
  windowStart: bigint('window_start', { mode: 'number' }).notNull(),
  count: integer('count').notNull(),
});
