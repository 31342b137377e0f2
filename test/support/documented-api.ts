import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DOCUMENTED } from '../../scripts/openapi/document.ts';
import { templateOf } from '../../scripts/openapi/operation.ts';

interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}

interface Call {
  readonly key?: string;
  /** Values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Default: the example of the document. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the documented success status. */
  readonly status?: number;
}

/** Excludes operator routes and webhooks. */
const isOfAccounts = (path: string): boolean => path.startsWith('/v1/') || path === '/health';

/** Calls a service by its OpenAPI document, and validates each answer against it. */
export class DocumentedApi {
  readonly called = new Set<string>();
  /** By the name of its route, whatever the document calls the operation. */
  private readonly operations = new Map<string, { path: string; method: string; operation: Operation }>();
  private readonly document: Document;
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  private readonly baseUrl: string;

  constructor(file: string, baseUrl: string) {
    this.document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    this.baseUrl = baseUrl;
    this.ajv.addSchema({ $id: 'api:/document', ...this.document });
    for (const [id, { path: route, method }] of DOCUMENTED) {
      const path = templateOf(route);
      const operation = this.document.paths[path]?.[method];
      if (operation !== undefined && isOfAccounts(path)) this.operations.set(id, { path, method, operation });
    }
  }

  get routeIds(): string[] {
    return [...this.operations.keys()];
  }

  /** Resolves with the body of a valid answer, and rejects any other. */
  async call<T = Record<string, unknown>>(id: string, { params = {}, query = '', ...call }: Call = {}): Promise<T> {
    const found = this.operations.get(id);
    if (found === undefined) throw new Error(`the document lacks ${id}`);
    this.called.add(id);
    const { path, method, operation } = found;
    const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
    const body = call.body ?? media?.example;
    const response = await fetch(
      `${this.baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name)}${query}`,
      {
        method: method.toUpperCase(),
        headers: {
          ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
          ...(type === undefined ? {} : { 'content-type': type }),
          ...call.headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    );
    const text = await response.text();
    const { status } = response;
    const wanted = call.status ?? Number(Object.keys(operation.responses).find((code) => code.startsWith('2')));
    if (status !== wanted) throw new Error(`${id}: ${status} in place of ${wanted}: ${text}`);
    const answerType = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const given: unknown = answerType === 'application/json' ? JSON.parse(text) : text;
    const faults = this.faults(found, status, answerType, given);
    if (faults.length > 0) throw new Error(`${id}: ${faults.join('; ')}: ${text}`);
    return given as T;
  }

  /** Differences between an answer and the document. */
  private faults(
    { path, method, operation }: { path: string; method: string; operation: Operation },
    status: number,
    type: string,
    body: unknown,
  ): string[] {
    const answer = operation.responses[status];
    if (answer === undefined) return ['its status is not documented'];
    const name = answer.$ref?.split('/').at(-1);
    const { content } = name === undefined ? answer : (this.document.components.responses[name] ?? {});
    if (content === undefined) return [];
    if (content[type] === undefined) return [`${type} is not documented`];
    const place =
      name === undefined
        ? `/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`
        : `/components/responses/${name}`;
    const pointer = `api:/document#${place}/content/${type.replaceAll('/', '~1')}/schema`;
    this.ajv.validate({ $ref: encodeURI(pointer) }, body);
    return (this.ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}
