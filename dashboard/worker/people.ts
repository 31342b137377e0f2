import { and, desc, eq, gt, lt, ne, or } from 'drizzle-orm';
import { authPasskey, authRate, authSession, authTwoFactor, authUser, authVerification } from './auth-schema.ts';
import { type Database, objectOf, timeOf } from './database.ts';

const DAY_MS = 86_400_000;
/** A session ends this long after its person signed in, however it is used. */
export const SESSION_MAX_MS = 30 * DAY_MS;

export async function findUserByEmail(db: Database, email: string): Promise<string | null> {
  const [user] = await db.select({ id: authUser.id }).from(authUser).where(eq(authUser.email, email));
  return user?.id ?? null;
}

/** better-auth's key of a link, distinct from its other ways to sign in. */
const linkIdentifier = (tokenHash: string): string => `magic-link:${tokenHash}`;

/** The address of a link, without using it. Null: used, expired or never sent. */
export async function findLinkAddress(db: Database, tokenHash: string, now: number): Promise<string | null> {
  const [found] = await db
    .select({ value: authVerification.value })
    .from(authVerification)
    .where(
      and(eq(authVerification.identifier, linkIdentifier(tokenHash)), gt(authVerification.expiresAt, new Date(now))),
    );
  if (found === undefined) return null;
  const { email } = objectOf(found.value);
  return typeof email === 'string' ? email : null;
}

export interface ListedSession {
  readonly id: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly network: string | null;
  readonly browser: string | null;
}

const seconds = (time: Date): number => Math.floor(timeOf(time) / 1000);

/** A person's open sessions, without their tokens. */
export async function listSessions(db: Database, userId: string, now: number): Promise<ListedSession[]> {
  const rows = await db
    .select()
    .from(authSession)
    .where(and(eq(authSession.userId, userId), gt(authSession.expiresAt, new Date(now))))
    .orderBy(desc(authSession.updatedAt))
    .limit(100);
  return rows.map(({ id, createdAt, updatedAt, ipAddress, userAgent }) => ({
    id,
    created_at: seconds(createdAt),
    used_at: seconds(updatedAt),
    network: ipAddress || null,
    browser: userAgent || null,
  }));
}

/** Ends one of the person's own sessions. False: there is none with this id. */
export async function endSession(db: Database, userId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(authSession)
    .where(and(eq(authSession.userId, userId), eq(authSession.id, id)))
    .returning({ id: authSession.id });
  return ended.length > 0;
}

export async function endOtherSessions(db: Database, userId: string, keptId: string): Promise<void> {
  await db.delete(authSession).where(and(eq(authSession.userId, userId), ne(authSession.id, keptId)));
}

export async function markSecondFactor(db: Database, sessionId: string, now: number): Promise<void> {
  await db
    .update(authSession)
    .set({ secondFactorAt: new Date(now) })
    .where(eq(authSession.id, sessionId));
}

/** What a person can prove beside a link. */
export async function readFactors(
  db: Database,
  userId: string,
): Promise<{ readonly totp: boolean; readonly passkeys: number }> {
  const [apps, passkeys] = await Promise.all([
    db
      .select({ id: authTwoFactor.id })
      .from(authTwoFactor)
      .where(and(eq(authTwoFactor.userId, userId), eq(authTwoFactor.verified, true))),
    db.select({ id: authPasskey.id }).from(authPasskey).where(eq(authPasskey.userId, userId)),
  ]);
  return { totp: apps.length > 0, passkeys: passkeys.length };
}

export async function hasFactor(db: Database, userId: string): Promise<boolean> {
  const { totp, passkeys } = await readFactors(db, userId);
  return totp || passkeys > 0;
}

/** Deletes one of the person's own passkeys. False: they have none with this id. */
export async function deletePasskey(db: Database, userId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(authPasskey)
    .where(and(eq(authPasskey.userId, userId), eq(authPasskey.id, id)))
    .returning({ id: authPasskey.id });
  return deleted.length > 0;
}

/** Deletes everything expired. */
export async function dropExpired(db: Database, now: number): Promise<void> {
  await db
    .delete(authSession)
    .where(or(lt(authSession.expiresAt, new Date(now)), lt(authSession.createdAt, new Date(now - SESSION_MAX_MS))));
  await db.delete(authVerification).where(lt(authVerification.expiresAt, new Date(now)));
  await db.delete(authRate).where(lt(authRate.windowStart, now - DAY_MS));
}
