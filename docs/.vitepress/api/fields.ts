import { resolved, type Schema } from './document.ts';

/** Text for a page: what would be a tag or a template of Vue outside of code stands as it is. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{')))
    .join('');

const code = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
};

/** The largest integer that zod names where a number has no bound of its own. */
const UNBOUND = Number.MAX_SAFE_INTEGER;
const count = (value: number): string => value.toLocaleString('en');

function rangeOf(from: number | undefined, to: number | undefined, unit: string): string[] {
  const low = from === undefined || from <= -UNBOUND ? null : count(from);
  const high = to === undefined || to >= UNBOUND ? null : count(to);
  if (low !== null && high !== null) return [low === high ? `${low}${unit}` : `${low} to ${high}${unit}`];
  if (low !== null) return low === '0' && unit !== '' ? [] : [`${low}${unit} or more`];
  return high === null ? [] : [`up to ${high}${unit}`];
}

/** `null` is said at the end. */
function typeOf(schema: Schema, seen: readonly string[] = []): string {
  const { $ref } = schema;
  if ($ref !== undefined && seen.includes($ref)) return 'object';
  const { type, anyOf, items, const: only, enum: values } = resolved(schema);
  const below = $ref === undefined ? seen : [...seen, $ref];
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeOf(each, below)))].join(' or ');
  if (only !== undefined) return code(only);
  if (items !== undefined)
    return [type].flat().includes('null')
      ? `array of ${typeOf(items, below)} or null`
      : `array of ${typeOf(items, below)}`;
  if (type === undefined) return values === undefined ? 'any' : 'string';
  return [type].flat().join(' or ');
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: given } = resolved(schema);
  return [
    ...rangeOf(minimum, maximum, ''),
    ...rangeOf(minLength, maxLength, ' characters'),
    ...rangeOf(minItems, maxItems, ' items'),
    ...(given === undefined ? [] : [`default ${code(given)}`]),
  ];
}

/** Of a field, or of the members of a list. */
function valuesOf(schema: Schema): string[] {
  const { enum: values, pattern, items, anyOf } = resolved(schema);
  const own = [
    ...(values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`]),
    ...(pattern === undefined ? [] : [`Pattern: ${code(pattern)}.`]),
  ];
  const inner = [...(items === undefined ? [] : [items]), ...(anyOf ?? [])];
  return [...own, ...inner.flatMap((each) => valuesOf(each))];
}

/** A line of the list, and below it what it holds. */
function lineOf(name: string, schema: Schema, required: boolean | null, seen: readonly string[]): string[] {
  const { description = '' } = { ...resolved(schema), ...schema };
  const facts = [typeOf(schema), ...limitsOf(schema), ...(required === true ? ['required'] : [])].join(', ');
  const told = [prose(description.replaceAll(/\s+/g, ' ')), ...valuesOf(schema)].filter((part) => part !== '');
  return [
    `- **${name}** <span class="facts">${facts.replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</span>`,
    ...(told.length === 0 ? [] : ['', `  ${told.join(' ')}`, '']),
    ...within(schema, required !== null, seen).map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

/** What a value holds, as lines of a list. A kind of value that holds its own kind says so once. */
function within(schema: Schema, isRequest: boolean, seen: readonly string[]): string[] {
  const { $ref } = schema;
  if ($ref !== undefined && seen.includes($ref)) return ['- As above: this holds others of its own kind.'];
  const { properties = {}, required = [], items, anyOf = [], additionalProperties } = resolved(schema);
  const below = $ref === undefined ? seen : [...seen, $ref];
  return [
    ...Object.entries(properties).flatMap(([name, field]) =>
      lineOf(code(name), field, isRequest ? required.includes(name) : null, below),
    ),
    ...(items === undefined ? [] : within(items, isRequest, below)),
    ...variantsOf(anyOf, isRequest, below),
    ...(typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? lineOf('any name', additionalProperties, isRequest ? false : null, below)
      : []),
  ];
}

/** Forms that a value may have. */
function variantsOf(forms: readonly Schema[], isRequest: boolean, seen: readonly string[]): string[] {
  const held = forms.map((form) => within(form, isRequest, seen)).filter((lines) => lines.length > 0);
  if (held.length < 2) return held.flat();
  return held.flatMap((lines, at) => [
    `- Form ${at + 1} of ${held.length}`,
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
  ]);
}

/** Fields of a body as a Markdown list; lists inside of it are what a field holds. */
export const fieldsOf = (schema: Schema, side: 'request' | 'answer'): string =>
  within(schema, side === 'request', []).join('\n');

/** Parameters as the same kind of list. */
export const parametersOf = (
  parameters: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[],
): string =>
  parameters
    .flatMap(({ name, required = false, description, schema }) =>
      lineOf(code(name), description === undefined ? schema : { ...schema, description }, required, []),
    )
    .join('\n');
