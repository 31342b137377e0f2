import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DecideRequest } from '../../../src/contract/decision.ts';
import { EventsRequest } from '../../../src/contract/feedback.ts';
import { findMisplaced } from '../../../src/contract/requests.ts';
import { VerifyRequest } from '../../../src/contract/verification.ts';
import { BODY_CASES } from '../../support/http-table.ts';

const EVENT = { trace_id: 'vr_1', event: 'activated', at: 1 };

describe('a field that belongs elsewhere in the request', () => {
  it.each([
    ['beside the object it belongs in', VerifyRequest, { email: 'a', purpose: 'signup' }, 'purpose', 'context.purpose'],
    [
      'without that object',
      VerifyRequest,
      { email: 'a', max_cost_usd: 1, context: {} },
      'max_cost_usd',
      'context.max_cost_usd',
    ],
    ['further in than it belongs', VerifyRequest, { context: { email: 'a' } }, 'context.email', 'email'],
    ['in a sibling', DecideRequest, { email: 'a', context: { explain: true } }, 'context.explain', 'explain'],
    ['beside a list', EventsRequest, { events: [EVENT], at: 1 }, 'at', 'events[].at'],
    [
      'in an item of a list',
      z.object({ name: z.string(), list: z.array(z.object({ at: z.number() })) }),
      { name: 'a', list: [{ at: 1 }, { name: 'b' }] },
      'list.1.name',
      'name',
    ],
  ])('is found %s', (_, schema, value, path, belongsAt) => {
    expect(findMisplaced(schema, value)).toEqual({ path: expect.anything(), belongsAt, of: null });
    expect(findMisplaced(schema, value)?.path.join('.')).toBe(path);
  });

  it.each([
    ['one that no place knows', VerifyRequest, { email: 'a', porpoise: 'signup', context: { x: 1 } }],
    ['what the caller names itself', DecideRequest, { email: 'a', attributes: { purpose: 'x', email: 'y', at: 1 } }],
    ['what the caller names itself, in a list', EventsRequest, { events: [{ ...EVENT, properties: { event: 'x' } }] }],
    ['one form of two', EventsRequest, EVENT],
    ['no object', VerifyRequest, ['purpose']],
    ['null', VerifyRequest, null],
  ])('is not %s', (_, schema, value) => {
    expect(findMisplaced(schema, value)).toBe(null);
  });

  it.each(BODY_CASES)('is found in whatever a route takes: $method $route.path', ({ route, body }) => {
    const { schema } = route.body ?? { schema: z.unknown() };
    expect(findMisplaced(schema, body)).toBe(null);
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const places = new Map<string, string>();
    for (const [name, inner] of Object.entries(json.properties ?? {})) {
      for (const field of Object.keys((inner as z.core.JSONSchema.BaseSchema).properties ?? {}))
        if (!places.has(field)) places.set(field, `${name}.${field}`);
    }
    for (const [field, place] of places) {
      if (field in (json.properties ?? {})) continue;
      expect(findMisplaced(schema, { ...(body as object), [field]: 1 })?.belongsAt).toBe(place);
    }
  });
});
