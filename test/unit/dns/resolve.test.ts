import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DnsAnswer,
  type DnsFailure,
  type DnsQuery,
  type RecordType,
  resolveMailHosts as resolve,
} from '../../../src/domain/dns/resolve.ts';

type Zone = { readonly [T in RecordType]?: DnsAnswer<T> };

const D = 'acme.example';

const mx = (...lines: readonly string[]): DnsAnswer<'MX'> => ({
  kind: 'records',
  ttlS: 300,
  records: lines.map((line) => {
    const [preference = '', exchange = ''] = line.split(' ');
    return { preference: Number(preference), exchange };
  }),
});
const addresses = (ttlS: number, ...records: readonly string[]): DnsAnswer<'A' | 'AAAA'> => ({
  kind: 'records',
  ttlS,
  records,
});
const no = (kind: 'nodata' | 'nxdomain', ttlS = 600) => ({ kind, ttlS });
const failed = (why: DnsFailure) => ({ kind: 'failed', why }) as const;

/** Answers from a zone; an unexpected question fails the test. */
function querying(zone: Zone): { query: DnsQuery; asked: string[] } {
  const asked: string[] = [];
  const query: DnsQuery = async (name, type) => {
    asked.push(`${name} ${type}`);
    const answer = zone[type];
    if (!answer) throw new Error(`unforeseen question: ${type}`);
    return answer;
  };
  return { query, asked };
}

const found = (hosts: readonly string[], implicit = false, at?: readonly string[]) => ({
  kind: 'found',
  hosts,
  implicit,
  ...(at && { addresses: at }),
});
const none = (why: string) => ({ kind: 'none', why });

/** As for a domain whose hosts a known provider runs: they are not asked for their addresses. */
const resolveMailHosts = (query: DnsQuery, domain: string) => resolve(query, domain, () => true);

describe('resolveMailHosts', () => {
  const rows: { title: string; zone: Zone; expected: object; ttlS: number }[] = [
    {
      title: 'orders hosts by preference',
      zone: { MX: mx('20 b.example', '5 c.example', '10 a.example') },
      expected: found(['c.example', 'a.example', 'b.example']),
      ttlS: 300,
    },
    {
      title: 'orders hosts of equal preference by name, because resolvers rotate them',
      zone: { MX: mx('10 b.example', '10 a.example') },
      expected: found(['a.example', 'b.example']),
      ttlS: 300,
    },
    {
      title: 'names a host once, at its best preference',
      zone: { MX: mx('30 a.example', '20 b.example', '10 a.example') },
      expected: found(['a.example', 'b.example']),
      ttlS: 300,
    },
    { title: 'reads a null MX (RFC 7505)', zone: { MX: mx('0 .') }, expected: none('null_mx'), ttlS: 300 },
    {
      title: 'reads a null MX with a preference that is not 0',
      zone: { MX: mx('10 .') },
      expected: none('null_mx'),
      ttlS: 300,
    },
    {
      title: 'ignores "." among other exchanges (RFC 7505 §3 forbids the mixture)',
      zone: { MX: mx('0 .', '10 a.example') },
      expected: found(['a.example']),
      ttlS: 300,
    },
    {
      title: 'takes an MX that is an IP address for no host, and does not fall back to address records',
      zone: { MX: mx('10 192.0.2.25') },
      expected: none('no_usable_host'),
      ttlS: 300,
    },
    {
      title: 'takes an MX that is localhost for no host',
      zone: { MX: mx('10 localhost') },
      expected: none('no_usable_host'),
      ttlS: 300,
    },
    {
      title: 'passes over an MX that is not a host name',
      zone: { MX: mx('10 mail@acme.example', '20 mx..example') },
      expected: none('no_usable_host'),
      ttlS: 300,
    },
    {
      title: 'keeps the usable hosts beside an unusable one',
      zone: { MX: mx('10 192.0.2.25', '20 mx_1.a.example') },
      expected: found(['mx_1.a.example']),
      ttlS: 300,
    },
    {
      title: 'takes the domain for its own host when only an A record exists (RFC 5321 §5.1)',
      zone: { MX: no('nodata', 600), A: addresses(120, '192.0.2.1'), AAAA: no('nodata', 60) },
      expected: found([D], true, ['192.0.2.1']),
      ttlS: 120,
    },
    {
      title: 'takes the domain for its own host when only an AAAA record exists',
      zone: { MX: no('nodata', 90), A: no('nodata'), AAAA: addresses(120, '2001:db8::1') },
      expected: found([D], true, ['2001:db8::1']),
      ttlS: 90,
    },
    {
      title: 'needs only one family to answer when it has an address',
      zone: { MX: no('nodata'), A: addresses(120, '192.0.2.1'), AAAA: failed('timeout') },
      expected: found([D], true, ['192.0.2.1']),
      ttlS: 120,
    },
    {
      title: 'takes addresses that nobody can reach for no host',
      zone: { MX: no('nodata'), A: addresses(120, '127.0.0.1', '10.0.0.5'), AAAA: addresses(60, '::1', 'fe80::1') },
      expected: none('no_usable_host'),
      ttlS: 60,
    },
    {
      title: 'keeps a domain with one address that leads somewhere',
      zone: { MX: no('nodata'), A: addresses(120, '127.0.0.1', '192.0.2.1'), AAAA: no('nodata') },
      expected: found([D], true, ['192.0.2.1']),
      ttlS: 120,
    },
    {
      title: 'finds nothing where neither MX nor address records exist',
      zone: { MX: no('nodata', 600), A: no('nodata', 50), AAAA: no('nodata', 70) },
      expected: none('no_records'),
      ttlS: 50,
    },
    {
      title: 'takes NXDOMAIN for AAAA, a known fault of old name servers, for "no such record"',
      zone: { MX: no('nodata'), A: no('nodata'), AAAA: no('nxdomain', 30) },
      expected: none('no_records'),
      ttlS: 30,
    },
    {
      title: 'finds nothing where the name does not exist',
      zone: { MX: no('nxdomain') },
      expected: none('nxdomain'),
      ttlS: 600,
    },
    ...(['servfail', 'timeout', 'unreachable', 'malformed'] as const).flatMap((why) => [
      {
        title: `never turns ${why} of MX into "none"`,
        zone: { MX: failed(why) },
        expected: { kind: 'unresolved', why },
        ttlS: 5,
      },
      {
        title: `never turns ${why} of one family into "none"`,
        zone: { MX: no('nodata'), A: no('nodata'), AAAA: failed(why) },
        expected: { kind: 'unresolved', why },
        ttlS: 5,
      },
      {
        title: `never turns ${why} of one family into "none" when the other is unusable`,
        zone: { MX: no('nodata'), A: failed(why), AAAA: addresses(60, '::1') },
        expected: { kind: 'unresolved', why },
        ttlS: 5,
      },
    ]),
  ];
  it.each(rows)('$title', async ({ zone, expected, ttlS }) => {
    expect(await resolveMailHosts(querying(zone).query, D)).toEqual({ mailHosts: expected, ttlS });
  });

  it('asks for addresses only without MX records, and for both families side by side', async () => {
    const withMx = querying({ MX: mx('10 a.example') });
    await resolveMailHosts(withMx.query, D);
    expect(withMx.asked).toEqual([`${D} MX`]);

    const without = querying({ MX: no('nodata'), A: no('nodata'), AAAA: no('nodata') });
    const answer = resolveMailHosts(without.query, D);
    await Promise.resolve();
    expect(without.asked).toEqual([`${D} MX`, `${D} A`, `${D} AAAA`]);
    await answer;
  });

  it('asks for reserved names like for any other', async () => {
    for (const name of ['mail.test', 'x.invalid', 'x.onion', 'localhost', '192.0.2.1']) {
      const { query, asked } = querying({ MX: no('nxdomain') });
      await resolveMailHosts(query, name);
      expect(asked).toEqual([`${name} MX`]);
    }
  });

  it('keeps the 20 best hosts of a zone that lists more', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${300 - i} h${300 - i}.example`);
    const { mailHosts } = await resolveMailHosts(querying({ MX: mx(...lines) }).query, D);
    expect(mailHosts).toEqual(found(Array.from({ length: 20 }, (_, i) => `h${i + 1}.example`)));
  });

  it('gives the same hosts for any order of the records', async () => {
    const record = fc.record({ preference: fc.nat(3), exchange: fc.stringMatching(/^[a-c]{1,3}\.example$/) });
    const shuffled = fc
      .array(record, { minLength: 1, maxLength: 20 })
      .chain((records) => fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })));
    await fc.assert(
      fc.asyncProperty(shuffled, async ([one, other]) => {
        const [a, b] = await Promise.all(
          [one, other].map((records) =>
            resolveMailHosts(querying({ MX: { kind: 'records', records, ttlS: 1 } }).query, D),
          ),
        );
        expect(a).toEqual(b);
      }),
    );
  });
});

describe('hosts that no known provider runs', () => {
  const A1 = addresses(60, '192.0.2.1');
  /** Answers by name: the domain's MX records, and what each host's name says; both families where one is given. */
  const named = (lines: readonly string[], names: Readonly<Record<string, DnsAnswer<'A' | 'AAAA'>[]>>) => {
    const asked: string[] = [];
    const query = async (name: string, type: RecordType) => {
      asked.push(`${name} ${type}`);
      if (type === 'MX') return mx(...lines);
      const answers = names[name] ?? [];
      return answers[type === 'A' ? 0 : answers.length - 1] ?? failed('unreachable');
    };
    return { asked, find: () => resolve(query as DnsQuery, D, (host) => host.endsWith('.known.example')) };
  };
  const two = ['10 a.example', '20 b.example'];

  it.each<{ title: string; names: Record<string, DnsAnswer<'A' | 'AAAA'>[]>; expected: object; ttlS: number }>([
    {
      title: 'take mail where the first has an address',
      names: { 'a.example': [A1, no('nodata')], 'b.example': [no('nxdomain')] },
      expected: found(['a.example', 'b.example'], false, ['192.0.2.1']),
      ttlS: 300,
    },
    {
      title: 'take mail where a later one alone has an address',
      names: { 'a.example': [no('nxdomain')], 'b.example': [no('nodata'), addresses(60, '2001:db8::1')] },
      expected: found(['a.example', 'b.example'], false, ['2001:db8::1']),
      ttlS: 300,
    },
    {
      title: 'take none where all are missing or have no address, for as long as the shortest answer says',
      names: { 'a.example': [no('nxdomain', 90)], 'b.example': [no('nodata', 70), no('nodata', 80)] },
      expected: none('no_host_address'),
      ttlS: 70,
    },
    {
      title: 'take none where no address can be reached',
      names: { 'a.example': [addresses(60, '192.168.1.10'), no('nodata')], 'b.example': [no('nxdomain')] },
      expected: none('no_host_address'),
      ttlS: 60,
    },
    ...(['servfail', 'timeout', 'unreachable', 'malformed'] as const).flatMap((why) => [
      {
        title: `are not known after ${why} of the only one that may have an address`,
        names: { 'a.example': [no('nxdomain')], 'b.example': [no('nodata'), failed(why)] },
        expected: { kind: 'unresolved', why },
        ttlS: 5,
      },
      {
        title: `take mail after ${why} of one where another has an address`,
        names: { 'a.example': [failed(why)], 'b.example': [A1] },
        expected: found(['a.example', 'b.example'], false, ['192.0.2.1']),
        ttlS: 300,
      },
    ]),
  ])('$title', async ({ names, expected, ttlS }) => {
    expect(await named(two, names).find()).toEqual({ mailHosts: expected, ttlS });
  });

  it('are all asked side by side, three at most', async () => {
    const { asked, find } = named(['1 a.example', '2 b.example', '3 c.example', '4 d.example'], {});
    const answer = find();
    await Promise.resolve();
    await Promise.resolve();
    const hosts = ['a.example', 'b.example', 'c.example'];
    expect(asked).toEqual([`${D} MX`, ...hosts.flatMap((host) => [`${host} A`, `${host} AAAA`])]);
    await answer;
  });

  it('take mail where one that was not asked may', async () => {
    const dead = Object.fromEntries(['a.example', 'b.example', 'c.example'].map((host) => [host, [no('nxdomain')]]));
    const lines = ['1 a.example', '2 b.example', '3 c.example', '4 d.example'];
    const { mailHosts } = await named(lines, dead).find();
    expect(mailHosts).toMatchObject({ kind: 'found' });
  });

  it('are not asked beside one that a known provider runs', async () => {
    const { asked, find } = named(['10 a.example', '20 mx.known.example'], {});
    expect(await find()).toEqual({ mailHosts: found(['a.example', 'mx.known.example']), ttlS: 300 });
    expect(asked).toEqual([`${D} MX`]);
  });

  it('answer as soon as one has an address, whatever the others take', async () => {
    const query = ((name: string, type: RecordType) =>
      name === 'a.example'
        ? new Promise(() => undefined)
        : Promise.resolve(type === 'MX' ? mx(...two) : A1)) as DnsQuery;
    expect(await resolve(query, D, () => false)).toMatchObject({ mailHosts: { kind: 'found' } });
  });
});
