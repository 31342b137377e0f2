import { describe, expect, it } from 'vitest';
import { isReachable } from '../../../src/domain/dns/resolve.ts';

describe('isReachable', () => {
  it.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private use, 10/8', '10.0.0.5', '10.255.255.255'],
    ["behind a carrier's NAT", '100.64.0.1', '100.127.255.255'],
    ['loopback', '127.0.0.1', '127.9.9.9'],
    ['link-local', '169.254.0.1', '169.254.169.254'],
    ['private use, 172.16/12', '172.16.0.1', '172.31.255.255'],
    ['protocol assignments', '192.0.0.1', '192.0.0.255'],
    ['private use, 192.168/16', '192.168.1.10', '192.168.255.255'],
    ['benchmarks', '198.18.0.1', '198.19.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255'],
    ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
    ['unspecified and loopback, IPv6', '::', '::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    ['unique local', 'fc00::1', 'fdff:ffff::1'],
    ['link-local, IPv6', 'fe80::1', 'febf::1'],
    ['multicast, IPv6', 'ff02::1', 'ff0e::1'],
    ['not allocated', '1fff::1', '4000::1'],
  ])('is false: %s', (_, ...addresses) => {
    expect(addresses.map(isReachable)).toEqual([false, false]);
  });

  it.each([
    ['beside the private blocks', '9.255.255.255', '11.0.0.0'],
    ['beside the shared block', '100.63.255.255', '100.128.0.0'],
    ['beside 172.16/12', '172.15.255.255', '172.32.0.0'],
    ['beside 192.168/16', '192.167.255.255', '192.169.0.0'],
    ['a mail host', '142.250.27.26', '223.255.255.255'],
    ['global unicast, IPv6', '2a00:1450:4013:c16::1b', '3fff:ffff::1'],
    ['documentation: test zones give it to hosts that are there', '192.0.2.25', '2001:db8::25'],
  ])('is true: %s', (_, ...addresses) => {
    expect(addresses.map(isReachable)).toEqual([true, true]);
  });
});
