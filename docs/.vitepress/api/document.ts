import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of JSON Schema that the document has. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Header {
  readonly description: string;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[];
  readonly 'x-test-keys'?: boolean;
}

/** An operation with its place. */
export interface Call extends Operation {
  readonly method: string;
  readonly path: string;
  /** Its page's name below `/docs/api/`. */
  readonly page: string;
}

interface Document {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const FILE = join(import.meta.dirname, '../../../public/openapi.json');

export const DOCUMENT = JSON.parse(readFileSync(FILE, 'utf8')) as Document;

/** What a reference stands for: `#/components/<kind>/<name>`. */
export function resolved<T extends object>(value: T): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return DOCUMENT.components[kind]?.[name] as T;
}

const pageOf = (operationId: string): string =>
  operationId.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** Every operation, in the order of the document. */
export const CALLS: readonly Call[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) =>
    Object.assign({ method, path, page: pageOf(operation.operationId) }, operation),
  ),
);
