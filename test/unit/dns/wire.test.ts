import { decode, TRUNCATED_RESPONSE } from '@leichtgewicht/dns-packet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnswer, encodeQuestion } from '../../../src/integrations/dns-over-https.ts';
import { address, cname, mx, RCODE, response, soa } from './messages.ts';

const D = 'acme.example';

describe('encodeQuestion', () => {
  it('asks one recursive question with id 0, so that equal questions are equal bytes', () => {
    const query = decode(encodeQuestion(D, 'MX'));
    expect(query).toMatchObject({ type: 'query', id: 0, flag_rd: true, questions: [{ name: D, type: 'MX' }] });
    expect(encodeQuestion(D, 'MX')).toEqual(encodeQuestion(D, 'MX'));
  });
});

describe('decodeAnswer', () => {
  const rows = [
    {
      title: 'reads MX records in lower case',
      bytes: response(D, 'MX', { answers: [mx(D, 10, 'MX1.Acme.Example.'), mx(D, 0, '.')] }),
      expected: {
        kind: 'records',
        records: [
          { preference: 10, exchange: 'mx1.acme.example' },
          { preference: 0, exchange: '.' },
        ],
        ttlS: 300,
      },
    },
    {
      title: 'answers the least TTL of the record set',
      bytes: response(D, 'MX', { answers: [mx(D, 1, 'a.example', 900), mx(D, 2, 'b.example', 60)] }),
      expected: { kind: 'records', ttlS: 60 },
    },
    {
      title: 'leaves the TTL of records that do not belong to the answer out',
      bytes: response(D, 'MX', {
        answers: [
          mx(D, 1, 'a.example', 900),
          address('A', 'a.example', '192.0.2.1', 5),
          mx('other.example', 1, 'x.example', 7),
        ],
      }),
      expected: { kind: 'records', records: [{ preference: 1, exchange: 'a.example' }], ttlS: 900 },
    },
    {
      title: 'keeps nothing longer than a day',
      bytes: response(D, 'MX', { answers: [mx(D, 1, 'a.example', 604_800)] }),
      expected: { kind: 'records', ttlS: 86_400 },
    },
    {
      title: 'reads a TTL with the top bit set as zero (RFC 2181 §8)',
      bytes: response(D, 'MX', { answers: [mx(D, 1, 'a.example', 0x8000_0001)] }),
      expected: { kind: 'records', ttlS: 0 },
    },
    {
      title: 'follows a CNAME chain in any order and counts its TTLs',
      bytes: response(D, 'MX', {
        answers: [
          mx('c.example', 1, 'mx.example', 300),
          cname('B.example', 'c.example', 40),
          cname(D, 'b.Example', 80),
        ],
      }),
      expected: { kind: 'records', records: [{ preference: 1, exchange: 'mx.example' }], ttlS: 40 },
    },
    {
      title: 'ends on a CNAME loop with "no data"',
      bytes: response(D, 'MX', { answers: [cname(D, 'b.example'), cname('b.example', D)] }),
      expected: { kind: 'nodata' },
    },
    {
      title: 'finds no data behind a CNAME whose target lacks the record',
      bytes: response(D, 'MX', { answers: [cname(D, 'b.example', 200)], authorities: [soa('example', 900, 500)] }),
      expected: { kind: 'nodata', ttlS: 200 },
    },
    {
      title: 'takes the TTL of "no data" from the SOA minimum',
      bytes: response(D, 'MX', { authorities: [soa('example', 900, 120)] }),
      expected: { kind: 'nodata', ttlS: 120 },
    },
    {
      title: 'takes the TTL of "no data" from the SOA record itself where that is less',
      bytes: response(D, 'MX', { authorities: [soa('example', 90, 1_200)] }),
      expected: { kind: 'nodata', ttlS: 90 },
    },
    {
      title: 'keeps a "no" at most an hour',
      bytes: response(D, 'MX', { flags: RCODE.nxdomain, authorities: [soa('example', 86_400, 86_400)] }),
      expected: { kind: 'nxdomain', ttlS: 3_600 },
    },
    {
      title: 'does not keep a "no" that came without an SOA',
      bytes: response(D, 'MX', { flags: RCODE.nxdomain }),
      expected: { kind: 'nxdomain', ttlS: 0 },
    },
    {
      title: 'tells SERVFAIL from "no such name"',
      bytes: response(D, 'MX', { flags: RCODE.servfail }),
      expected: { kind: 'failed', why: 'servfail' },
    },
    {
      title: 'takes REFUSED for a failure',
      bytes: response(D, 'MX', { flags: RCODE.refused }),
      expected: { kind: 'failed', why: 'servfail' },
    },
    {
      title: 'takes an error without its question for that error',
      bytes: response(D, 'MX', { flags: RCODE.formerr, questions: [] }),
      expected: { kind: 'failed', why: 'servfail' },
    },
    {
      title: 'refuses an answer to another name',
      bytes: response('other.example', 'MX', { answers: [mx(D, 1, 'a.example')] }),
      expected: { kind: 'failed', why: 'malformed' },
    },
    {
      title: 'refuses an answer to another type',
      bytes: response(D, 'A', { answers: [mx(D, 1, 'a.example')] }),
      expected: { kind: 'failed', why: 'malformed' },
    },
    {
      title: 'refuses an answer with another id',
      bytes: response(D, 'MX', { id: 7, answers: [mx(D, 1, 'a.example')] }),
      expected: { kind: 'failed', why: 'malformed' },
    },
    {
      title: 'refuses a query echoed back',
      bytes: encodeQuestion(D, 'MX'),
      expected: { kind: 'failed', why: 'malformed' },
    },
    {
      title: 'refuses a truncated record set',
      bytes: response(D, 'MX', { flags: TRUNCATED_RESPONSE, answers: [mx(D, 1, 'a.example')] }),
      expected: { kind: 'failed', why: 'malformed' },
    },
  ];
  it.each(rows)('$title', ({ bytes, expected }) => {
    expect(decodeAnswer(bytes, D, 'MX')).toMatchObject(expected);
  });

  it('matches the echoed question whatever its case (0x20 mixing)', () => {
    const bytes = response('AcMe.eXample', 'MX', { answers: [mx('ACME.example', 1, 'a.example')] });
    expect(decodeAnswer(bytes, D, 'MX').kind).toBe('records');
  });

  it('reads addresses of both families', () => {
    const a = response(D, 'A', { answers: [address('A', D, '192.0.2.7')] });
    const aaaa = response(D, 'AAAA', { answers: [address('AAAA', D, '2001:db8::7')] });
    expect(decodeAnswer(a, D, 'A')).toMatchObject({ records: ['192.0.2.7'] });
    expect(decodeAnswer(aaaa, D, 'AAAA')).toMatchObject({ records: ['2001:db8::7'] });
  });

  it.each(['MX', 'A', 'AAAA'] as const)('never takes an %s answer cut anywhere for an answer', (type) => {
    const records = {
      MX: mx(D, 1, 'a.example'),
      A: address('A', D, '192.0.2.7'),
      AAAA: address('AAAA', D, '2001:db8::7'),
    };
    const whole = response(D, type, { answers: [records[type]] });
    for (let length = 0; length < whole.length; length += 1) {
      expect(decodeAnswer(whole.subarray(0, length), D, type)).toEqual({ kind: 'failed', why: 'malformed' });
    }
  });

  it('never throws, whatever the bytes', () => {
    const whole = response(D, 'MX', { answers: [cname(D, 'b.example'), mx('b.example', 1, 'a.example')] });
    const damaged = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((edits) => edits.reduce((bytes, [at, value]) => bytes.with(at, value), whole));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        expect(['records', 'nodata', 'nxdomain', 'failed']).toContain(decodeAnswer(bytes, D, 'MX').kind);
      }),
    );
  });
});
