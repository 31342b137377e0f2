import { describe, expect, it } from 'vitest';
import { CALLS, type Schema } from '../../../docs/.vitepress/api/document.ts';
import { fieldsOf, parametersOf, prose } from '../../../docs/.vitepress/api/fields.ts';

const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});

/** The list without the blank lines between its parts. */
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('the fields of a body', () => {
  it('say what each is, whether it is required, and its limits', () => {
    const schema = object(
      {
        email: { type: 'string', minLength: 1, maxLength: 320, description: 'The address.' },
        limit: { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 50 },
        word: { type: 'string', enum: ['a', 'b'] },
        two: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      },
      ['email'],
    );
    expect(lines(fieldsOf(schema, 'request'))).toEqual([
      '- **`email`** <span class="facts">string, 1 to 320 characters, required</span>',
      '  The address.',
      '- **`limit`** <span class="facts">integer or null, 1 or more, default <code>50</code></span>',
      '- **`word`** <span class="facts">string</span>',
      '  One of `a`, `b`.',
      '- **`two`** <span class="facts">array of number, 2 items</span>',
    ]);
  });

  it('are listed below their parent: an object, a list, names of the caller’s, one of several forms', () => {
    const inner = object({ a: { type: 'boolean' } });
    const schema = object({
      list: { type: 'array', items: inner },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
      either: { anyOf: [inner, object({ b: { type: 'null' } })] },
    });
    expect(lines(fieldsOf(schema, 'answer'))).toEqual([
      '- **`list`** <span class="facts">array of object</span>',
      '  - **`a`** <span class="facts">boolean</span>',
      '- **`map`** <span class="facts">object</span>',
      '  - **any name** <span class="facts">integer</span>',
      '- **`either`** <span class="facts">object</span>',
      '  - Form 1 of 2',
      '    - **`a`** <span class="facts">boolean</span>',
      '  - Form 2 of 2',
      '    - **`b`** <span class="facts">null</span>',
    ]);
  });

  it('end for every operation, though a condition contains conditions', () => {
    const bodies = CALLS.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const texts = bodies.map(({ schema }) => fieldsOf(schema, 'request'));
    expect(texts.some((text) => text.includes('As above'))).toBe(true);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(50_000);
  });
});

it('a parameter is shown with its description', () => {
  const parameter = { name: 'cursor', required: true, description: 'Where to go on.', schema: { type: 'string' } };
  expect(lines(parametersOf([parameter]))).toEqual([
    '- **`cursor`** <span class="facts">string, required</span>',
    '  Where to go on.',
  ]);
});

it('text that looks like a tag or a template is shown as text, and code unchanged', () => {
  expect(prose('<b> {{ x }} `<i>`')).toBe('&lt;b> &#123;{ x }} `<i>`');
});
