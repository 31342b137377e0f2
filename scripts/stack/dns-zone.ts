/** A record of a local zone, without its name and TTL. */
export type ZoneRecord =
  | { readonly type: 'MX'; readonly preference: number; readonly exchange: string }
  | { readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT'; readonly data: string };

/** What the local zones know about a name. */
export interface ZoneName {
  readonly ttlS: number;
  readonly records: readonly ZoneRecord[];
  /** Answered so instead of with records. `silent` never answers. */
  readonly fails?: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silent' | 'malformed';
  readonly delayMs?: number;
}

/** A zone: null for a name it does not hold. */
export type Zone = (name: string) => ZoneName | null;

/** MX records written as `"10 mx1.example, 20 mx2.example"`; preference and host as in a zone file, `.` is the root. */
export const mx = (hosts: string): ZoneRecord[] =>
  hosts.split(', ').map((host) => {
    const [preference = '', exchange = ''] = host.split(' ');
    return { type: 'MX', preference: Number(preference), exchange };
  });
export const a = (...addresses: readonly string[]): ZoneRecord[] => addresses.map((data) => ({ type: 'A', data }));
export const aaaa = (...addresses: readonly string[]): ZoneRecord[] =>
  addresses.map((data) => ({ type: 'AAAA', data }));
export const txt = (data: string): ZoneRecord[] => [{ type: 'TXT', data }];
export const cname = (data: string): ZoneRecord[] => [{ type: 'CNAME', data }];
