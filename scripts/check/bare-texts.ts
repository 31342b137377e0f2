import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ROOT, type StepResult } from './step.ts';

/** A node of the syntax tree. Fields that hold nodes are found by looking. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Where a string stands: where its words are read, among what a function of texts does, in a message, or anywhere else. Code holds no text. */
type Place = 'read' | 'returned' | 'message' | 'anywhere' | 'code';

/** Where messages come from: what has the name of a macro and is imported from elsewhere makes none. */
const MACROS = /^@lingui\/(?:core|react)\/macro$/;

/** Variables and functions whose values are shown. */
const SHOWN = /(?:^|[a-z])(?:text|label|title|hint|note|sentence)s?$/i;

/** Attributes and properties whose words are read or heard. */
const READ: ReadonlySet<string> = new Set(
  'alt aria-label caption description hint label note placeholder title'.split(' '),
);

/** Elements, attributes and properties that hold code, and errors that no page shows. */
const CODE: ReadonlySet<string> = new Set(
  'Code Error autoComplete className code d fontFamily fontFamilyMonospace rel stored style'.split(' '),
);

/** Two words, or a first one with a capital. */
const SENTENCE = /\p{L}[\p{Pe}\p{Pf}\p{Po}]* [\p{Ps}\p{Pi}]*\p{L}|^[^\p{L}]*\p{Lu}\p{Ll}/u;
/** Beside a value one word is enough, and so it is where words are read. */
const WORD = /(?<!\S)\p{L}{2,}(?!\S)/u;
/** Stands for a value in a template. */
const VALUE = '\uFFFC';

const isNode = (value: unknown): value is Node => typeof Object(value).type === 'string';

/** The name of an identifier, of a property's key or an attribute; of a member, its own. */
function nameOf(node: unknown): string {
  const { name, value, property } = Object(node) as { name?: unknown; value?: unknown; property?: unknown };
  if (property !== undefined) return nameOf(property);
  return isNode(name) ? nameOf(name) : String(name ?? value);
}

/** What a string says; null: the node is no string. */
function textOf({ type, value, quasis }: Node): string | null {
  if (type === 'Literal' || type === 'JSXText') return typeof value === 'string' ? value : null;
  if (type !== 'TemplateLiteral') return null;
  return (quasis as { value: { cooked: string } }[]).map((each) => each.value.cooked).join(VALUE);
}

const isBare = (text: string, place: Place): boolean =>
  place !== 'message' && (SENTENCE.test(text) || ((place === 'read' || text.includes(VALUE)) && WORD.test(text)));

type Macros = ReadonlySet<string>;

/** What the file imports of Lingui's macros. */
const macrosOf = ({ body }: { readonly body: readonly object[] }): Macros =>
  new Set(
    (body as Node[])
      .filter(({ type, source }) => type === 'ImportDeclaration' && MACROS.test(nameOf(source)))
      .flatMap(({ specifiers }) => (specifiers as Node[]).map(({ local }) => nameOf(local))),
  );

/** The place of what stands in this field of a node that has this place itself. */
function placeIn(node: Node, field: string, place: Place, macros: Macros): Place {
  const named = (what: unknown): Place => {
    const name = nameOf(what);
    const isMember = Object(what).property !== undefined;
    return !isMember && macros.has(name) ? 'message' : CODE.has(name) ? 'code' : 'anywhere';
  };
  switch (node.type) {
    case 'JSXElement': {
      const own = named(Object(node['openingElement']).name);
      // The attributes of a macro are its message too.
      if (field !== 'children') return own === 'message' ? 'code' : 'anywhere';
      if (place === 'message') return place;
      return own === 'anywhere' ? 'read' : own;
    }
    case 'JSXFragment':
      return place === 'message' ? place : 'read';
    case 'JSXAttribute':
    case 'Property': {
      const name = node['name'] ?? node['key'];
      if (field !== 'value') return 'code';
      return READ.has(nameOf(name)) ? 'read' : named(name);
    }
    case 'JSXExpressionContainer':
      return place === 'message' ? 'anywhere' : place;
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
      if (!SHOWN.test(nameOf(node['id']))) return 'anywhere';
      return field === 'init' ? 'read' : field === 'body' ? 'returned' : 'anywhere';
    case 'ArrowFunctionExpression':
      if (field !== 'body' || place !== 'read') return 'anywhere';
      return node['expression'] === true ? place : 'returned';
    case 'BlockStatement':
    case 'IfStatement':
    case 'SwitchStatement':
      return field === 'test' || field === 'discriminant' ? 'anywhere' : place;
    case 'ReturnStatement':
      return place === 'returned' ? 'read' : 'anywhere';
    case 'ConditionalExpression':
    case 'LogicalExpression':
      return field === 'test' ? 'anywhere' : place;
    case 'TaggedTemplateExpression':
      return field === 'quasi' ? named(node['tag']) : 'code';
    case 'CallExpression':
    case 'NewExpression':
      return named(node['callee']) === 'anywhere' ? 'anywhere' : 'code';
    case 'BinaryExpression':
      // What is joined stands beside a value.
      return node['operator'] === '+' ? (place === 'code' ? place : 'read') : 'code';
    case 'SwitchCase':
      return field === 'test' ? 'code' : place;
    default:
      return node.type.startsWith('Import') ? 'code' : 'anywhere';
  }
}

function* bareIn(node: Node, place: Place, macros: Macros): Generator<Node> {
  if (place === 'code' || (node.type.startsWith('TS') && !('expression' in node))) return;
  const text = textOf(node);
  if (text !== null && isBare(text, place)) yield node;
  for (const [field, value] of Object.entries(node))
    for (const child of [value].flat())
      if (isNode(child)) yield* bareIn(child, placeIn(node, field, place, macros), macros);
}

/** The texts of a file that no translator would see: strings that read as one, and are no message of Lingui's. */
export function bareTextsOf(file: string, code: string): string[] {
  const { program } = parseSync(file, code);
  return Array.from(bareIn(program as unknown as Node, 'anywhere', macrosOf(program)), (node) => {
    const line = code.slice(0, node.start).split('\n').length;
    return `${file}:${line} ${textOf(node)?.trim().replaceAll(VALUE, '…')}`;
  });
}

/** Whether a translator sees every text of the dashboard. */
export async function bareTexts(): Promise<StepResult> {
  const files = globSync('dashboard/app/**/*.{ts,tsx}', { cwd: ROOT }).sort();
  const bare = files.flatMap((file) => bareTextsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  return { ok: bare.length === 0, note: `${files.length} files`, output: bare.join('\n') };
}
