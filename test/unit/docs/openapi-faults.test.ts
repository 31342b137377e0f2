import { expect, it } from 'vitest';
import { faultsOf } from '../../../scripts/openapi/faults.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'An API', version: '1' },
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/A' }, example: { count: 1 } } },
        },
        responses: { 200: { description: 'Done.' } },
      },
      get: { operationId: 'b', responses: { 200: { description: 'Done.' } } },
    },
  },
  components: { schemas: { A: { type: 'object', properties: { count: { type: 'integer' } } } } },
};

/** The document with one text of it put for another. */
const changed = (from: string, to: string) => JSON.parse(JSON.stringify(DOCUMENT).replace(from, to)) as typeof DOCUMENT;

it('finds nothing in a valid document', async () => {
  expect(await faultsOf(DOCUMENT)).toEqual([]);
});

it.each([
  ['a field that OpenAPI does not know', '"responses"', '"answers"', 'unevaluated'],
  ['a schema that is not there', 'schemas/A"', 'schemas/B"', 'schemas/B'],
  ['an operation named as another', '"b"', '"a"', 'operationId a stands twice'],
  ['an example that its schema refuses', '"count":1', '"count":"one"', 'example: data/count must be integer'],
])('finds %s', async (_, from, to, says) => {
  expect((await faultsOf(changed(from, to))).join('\n')).toContain(says);
});
