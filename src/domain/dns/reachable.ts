const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/**
 * IPv4 blocks that nobody on the Internet reaches: IANA's registry of special-purpose addresses (RFC 6890). Its blocks for
 * documentation are left out: no real host is there, and test zones give them to hosts that stand for reachable ones.
 */
const UNREACHABLE = (
  [
    ['0.0.0.0', 8, '"This network" (RFC 791); parked domains say with it that they take no mail'],
    ['10.0.0.0', 8, 'Private use (RFC 1918)'],
    ['100.64.0.0', 10, 'Shared by a carrier’s customers, behind its NAT (RFC 6598)'],
    ['127.0.0.0', 8, 'Loopback (RFC 1122)'],
    ['169.254.0.0', 16, 'Link-local (RFC 3927)'],
    ['172.16.0.0', 12, 'Private use (RFC 1918)'],
    ['192.0.0.0', 24, 'IETF protocol assignments (RFC 6890)'],
    ['192.168.0.0', 16, 'Private use (RFC 1918)'],
    ['198.18.0.0', 15, 'Benchmarks of networks (RFC 2544)'],
    ['224.0.0.0', 3, 'Multicast (RFC 5771), reserved (RFC 1112) and broadcast (RFC 919)'],
  ] as const
).map(([block, bits]) => ({ first: numberOf(block), size: 2 ** (32 - bits) }));

/**
 * The global unicast addresses of IPv6, 2000::/3 (RFC 4291 §2.4). Loopback, link-local, unique local, multicast and IPv4-mapped
 * addresses lie outside.
 */
const GLOBAL_IPV6 = /^[23][0-9a-f]{3}:/i;

/** Whether a sender on the Internet can reach an IP address, given in its usual text form. */
export function isReachable(address: string): boolean {
  if (address.includes(':')) return GLOBAL_IPV6.test(address);
  const number = numberOf(address);
  return number >= 0 && !UNREACHABLE.some(({ first, size }) => number >= first && number < first + size);
}
