import { sql } from 'drizzle-orm';
import { authRate } from './auth-schema.ts';
import type { Database } from './database.ts';

/** How often one network or one address may try something. */
export const LIMITS = {
  /** Link requests of a network: an office shares one. */
  asksOfNetwork: { count: 30, windowMs: 600_000 },
  /** Links to one mailbox from unknown browsers: of one network, and of all. More would annoy its owner. */
  asksOfNetworkForAddress: { count: 3, windowMs: 600_000 },
  asksForAddress: { count: 10, windowMs: 600_000 },
  /** Links to one mailbox from a browser in which its person signed in before: nobody else can use these up. */
  asksOfPerson: { count: 3, windowMs: 900_000 },
  /** Uses of links and passkeys, of a network. */
  attempts: { count: 60, windowMs: 600_000 },
  /** Codes of an authenticator app, of a person, and each code once. */
  codes: { count: 5, windowMs: 900_000 },
  sameCode: { count: 1, windowMs: 86_400_000 },
  /** Organisations that one person makes. */
  organisations: { count: 3, windowMs: 86_400_000 },
} as const;
export type LimitName = keyof typeof LIMITS;

export interface Limited {
  readonly limit: LimitName;
  /** Whose tries are counted. */
  readonly of: string;
}

/**
 * Counts a try for each, in one statement. Null: all are within their limits; else the seconds to wait. better-auth's
 * own counter reads before it writes, so that simultaneous tries pass together.
 */
export async function countTries(
  db: Database,
  tries: readonly Limited[],
  hash: (text: string) => Promise<string>,
  now: number,
): Promise<number | null> {
  const rows = await Promise.all(
    tries.map(async ({ limit, of }) => {
      const { windowMs } = LIMITS[limit];
      return { key: await hash(`${limit} ${of}`), windowStart: now - (now % windowMs), count: 1, limit };
    }),
  );
  const isSame = sql`${authRate.windowStart} = excluded.window_start`;
  const counted = await db
    .insert(authRate)
    .values(rows.map(({ limit: _, ...row }) => row))
    .onConflictDoUpdate({
      target: authRate.key,
      set: {
        count: sql`case when ${isSame} then ${authRate.count} + 1 else 1 end`,
        windowStart: sql`excluded.window_start`,
      },
    })
    .returning();
  const waits = counted.flatMap(({ key, count, windowStart }) => {
    const limit = rows.find((row) => row.key === key)?.limit;
    if (limit === undefined || count <= LIMITS[limit].count) return [];
    return [Math.ceil((windowStart + LIMITS[limit].windowMs - now) / 1000)];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Returns an IPv4 address, or the /64 of an IPv6 one, since one subscriber has all of a /64. */
export function networkOf(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'unknown';
  const v4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(':')) return v4 ?? address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = (text = ''): string[] => text.split(':').filter((group) => group !== '');
  const behind = groups(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - groups(head).length - behind.length) }, () => '0');
  return [...groups(head), ...(tail === undefined ? [] : zeros), ...behind]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
