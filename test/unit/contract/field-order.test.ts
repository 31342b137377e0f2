import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BulkJob } from '../../../src/contract/bulk.ts';
import { inOrder } from '../../../src/contract/field-order.ts';
import { PolicyRule } from '../../../src/contract/policy.ts';
import { TraceList } from '../../../src/contract/traces.ts';

const text = (value: unknown): string => JSON.stringify(value);
const ordered = (schema: z.ZodType, value: unknown): string => text(inOrder(schema, value));

const Row = z.object({ id: z.string(), note: z.string().nullable(), tags: z.array(z.string()).optional() });
const Answer = z.object({
  rows: z.array(Row),
  own: z.record(z.string(), Row),
  signals: z.object({ syntax: z.boolean(), mx: z.boolean().nullable() }).nullable(),
  cursor: z.string().nullable(),
});

describe('an answer in the order of the contract', () => {
  it('is the same answer, from whatever order it was stored in', () => {
    const row = fc.record({ id: fc.string(), note: fc.option(fc.string()), tags: fc.array(fc.string()) });
    const signals = fc.record({ syntax: fc.boolean(), mx: fc.option(fc.boolean()) });
    const own = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), row);
    const answer = fc.record({ rows: fc.array(row), own, signals: fc.option(signals), cursor: fc.option(fc.string()) });
    const shuffled = (value: unknown, turn: number): unknown => {
      if (Array.isArray(value)) return value.map((each) => shuffled(each, turn));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, each]) => [key, shuffled(each, turn)] as const);
      const at = turn % Math.max(1, entries.length);
      return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)].reverse());
    };
    fc.assert(
      fc.property(answer, fc.nat({ max: 5 }), (made, turn) => {
        const stored = shuffled({ ...made, own: {} }, turn);
        expect(ordered(Answer, stored)).toBe(text({ ...made, own: {} }));
        expect(inOrder(Answer, shuffled(made, turn))).toEqual(made);
      }),
    );
  });

  it('has what the contract does not name last, as it came', () => {
    expect(ordered(Row, { extra: { b: 1, a: 2 }, note: null, id: 'x' })).toBe(
      '{"id":"x","note":null,"extra":{"b":1,"a":2}}',
    );
  });

  it.each<[string, z.ZodType, unknown]>([
    ['of another kind', Row, 'text'],
    ['null', Row, null],
    ['a list where an object is due', Row, [1]],
    ['an object where a list is due', z.array(Row), { b: 1, a: 2 }],
  ])('is left alone where it is %s', (_, schema, value) => expect(inOrder(schema, value)).toEqual(value));

  it('has the keys of a closed record in the order of its list', () => {
    expect(ordered(BulkJob.pick({ counts: true }), { counts: { invalid: 1, risky: 2, valid: 3 } })).toBe(
      '{"counts":{"valid":3,"risky":2,"invalid":1}}',
    );
  });

  it('is recognised by its fields where there are several forms, however deep', () => {
    const when = { all: [{ value: 1, op: 'eq', path: 'a' }, { not: { value: true, op: 'exists', path: 'b' } }] };
    expect(ordered(PolicyRule, { when, decision: 'deny', id: 'x' })).toBe(
      '{"id":"x","when":{"all":[{"path":"a","op":"eq","value":1},{"not":{"path":"b","op":"exists","value":true}}]},"decision":"deny"}',
    );
    const plain = { kind: 'verify', trace_id: 'vr_1' };
    expect(ordered(TraceList, { cursor: null, traces: [plain] })).toBe(
      '{"traces":[{"kind":"verify","trace_id":"vr_1"}],"cursor":null}',
    );
  });
});
