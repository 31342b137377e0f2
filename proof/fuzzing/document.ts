import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Schema = Readonly<Record<string, unknown>>;

interface Referring {
  readonly $ref?: string;
}
interface Answer extends Referring {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Parameter extends Referring {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}
interface Body {
  readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

/** One call that the document describes. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly type: string; readonly schema: Schema; readonly example: unknown } | null;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { parameters?: Parameter[]; requestBody?: Body; responses: Record<string, Answer> }>>
    >
  >;
}

/** public/openapi.json, to make requests of and to hold answers against. */
export class ApiDocument {
  readonly operations: readonly Operation[];
  private readonly document: Document;
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly checks = new Map<string, ValidateFunction>();

  constructor() {
    const file = join(import.meta.dirname, '../../public/openapi.json');
    this.document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    this.ajv.addSchema({ $id: 'api:/document', ...this.document });
    this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
        const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
        const body =
          type === undefined || media === undefined ? null : { type, schema: media.schema, example: media.example };
        const resolved = parameters.map((each) => this.resolve(each));
        return { method: method.toUpperCase(), path, parameters: resolved, body, responses };
      }),
    );
  }

  /** What a `$ref` leads to; the thing itself without one. */
  resolve<T extends Referring>(thing: T): T {
    if (thing.$ref === undefined) return thing;
    const steps = thing.$ref.slice(2).split('/');
    const found = steps.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], this.document);
    return this.resolve(found as T);
  }

  /** The difference between an answer and the document; null if there is none. */
  faultOf({ responses }: Operation, status: number, type: string, text: string): string | null {
    const given = responses[status];
    if (given === undefined) return `${status} is not documented`;
    const { content } = this.resolve(given);
    if (content === undefined) return null;
    const media = content[type];
    if (media === undefined) return `${status} as ${type || 'nothing'} is not documented`;
    if (type !== 'application/json') return null;
    const check = this.checkOf(media.schema);
    return check(JSON.parse(text)) ? null : `${status}: ${this.ajv.errorsText(check.errors)}`;
  }

  private checkOf(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.checks.get(key);
    if (known !== undefined) return known;
    const { $ref } = schema as Referring;
    const check = this.ajv.compile(
      $ref === undefined ? { $id: `api:/document#${this.checks.size}`, ...schema } : { $ref: `api:/document${$ref}` },
    );
    this.checks.set(key, check);
    return check;
  }
}
