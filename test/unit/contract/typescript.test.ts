import { describe, expect, it } from 'vitest';
import { declarationOf, declarationsOf, type Schema, typeOf } from '../../../scripts/openapi/typescript.ts';

const REF = '#/components/schemas/';
const WORD: Schema = { type: 'string', enum: ['a', "it's"], description: 'A word.' };
const TREE: Schema = { type: 'object', properties: { below: { type: 'array', items: { $ref: `${REF}Tree` } } } };

it.each<[type: string, schema: Schema]>([
  ['unknown', {}],
  ['number', { type: 'integer' }],
  ['string | null', { type: ['string', 'null'] }],
  ["'a' | 'it\\'s'", WORD],
  ['true', { type: 'boolean', const: true }],
  ['Word | null', { anyOf: [{ $ref: `${REF}Word` }, { type: 'null' }] }],
  ['Word[]', { type: 'array', items: { $ref: `${REF}Word` }, minItems: 1, maxItems: 9 }],
  ['(string | null)[] | null', { type: ['array', 'null'], items: { type: ['string', 'null'] } }],
  ['[number, number]', { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }],
  ['{ [key: string]: number }', { type: 'object', additionalProperties: { type: 'integer' } }],
  ['{ [key: string]: unknown }', { type: 'object', additionalProperties: true }],
  [
    'Partial<Record<Word, number>>',
    { type: 'object', propertyNames: { $ref: `${REF}Word` }, additionalProperties: { type: 'integer' } },
  ],
  [
    "{\n  a: string;\n  'b-c'?: string | undefined;\n  200: string;\n}",
    {
      type: 'object',
      properties: { a: { type: 'string' }, 'b-c': { type: 'string' }, 200: { type: 'string' } },
      required: ['a', '200'],
    },
  ],
])('%s', (type, schema) => {
  expect(sorted(typeOf(schema, {}))).toBe(sorted(type));
});

/** Numbers come first among the members of an object. */
const sorted = (type: string): string => type.split('\n').sort().join('\n');

describe('a declaration', () => {
  it('has its description and those of its members; a member without one has its type’s', () => {
    const schema: Schema = {
      type: 'object',
      description: 'Ends */ here.',
      properties: { own: { $ref: `${REF}Word`, description: 'Its own.' }, word: { $ref: `${REF}Word` } },
      required: ['own', 'word'],
    };
    expect(declarationOf('Pair', schema, { Word: WORD })).toBe(
      `/** Ends *\\/ here. */
export interface Pair {
  /** Its own. */
  own: Word;
  /** A word. */
  word: Word;
}
`,
    );
  });

  it('comes with those that it refers to, once', () => {
    const text = declarationsOf(['Tree', 'Gone'], {
      Other: WORD,
      Tree: { ...TREE, propertyNames: { $ref: `${REF}Word` } },
      Word: WORD,
    });
    expect(text.match(/(?<=export (?:type|interface) )\w+/g)).toEqual(['Tree', 'Word']);
  });
});
