import {
  type CallToolResult,
  createMcpHandler,
  type ListResourcesResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Tool,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ErrorEnvelope } from '../../contract/error.ts';
import type { PolicyList } from '../../contract/policy.ts';
import { GLOSSARY, POLICY, policySlug, policyUri, INSTRUCTIONS, TOOLS, toolRoute } from '../../contract/mcp.ts';
import { type Called, policiesCall, policyCall, toolCall, type VerbCall } from './verb-calls.ts';

/** Tools and the glossary change only with a deployment. */
const FIXED_TTL_MS = 3_600_000;

/** What answers a message: the version it names, and how to run a verb and read the glossary. */
export interface Serving {
  readonly version: string;
  readonly call: (call: VerbCall) => Promise<Pick<Called, 'status' | 'body'>>;
  readonly readGlossary: () => Promise<string>;
}

export interface Served {
  readonly status: number;
  readonly contentType: string | null;
  /** Empty for a message without an answer. */
  readonly text: string;
}

/**
 * Answers one JSON-RPC message in either generation of the protocol: up to 2025-11-25 after a handshake and as an
 * event, 2026-07-28 at once and in plain JSON. Stateless between messages. Throws our own bugs, whose message the
 * library would answer with.
 */
export async function serveMessage(request: Request, message: unknown, serving: Serving): Promise<Served> {
  const bugs: unknown[] = [];
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (bug) {
      bugs.push(bug);
      throw bug;
    }
  };
  const noting: Serving = {
    version: serving.version,
    call: (call) => noted(serving.call(call)),
    readGlossary: () => noted(serving.readGlossary()),
  };
  const failures: Error[] = [];
  const handler = createMcpHandler(() => createServer(noting), {
    // Clients can't subscribe to anything, and an answer is complete before it is sent.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => void failures.push(error),
  });
  const response = await handler.fetch(takingBoth(request), { parsedBody: message });
  const text = await response.text();
  if (bugs.length > 0) throw bugs[0];
  if (response.status >= 500) throw failures[0] ?? new Error('an MCP message was not served');
  const contentType = response.headers.get('Content-Type');
  const isEvent = contentType?.startsWith(EVENTS) === true;
  if (isEvent && request.headers.get('Accept')?.includes(EVENTS) !== true)
    return { status: response.status, contentType: 'application/json', text: dataOf(text) };
  return { status: response.status, contentType, text };
}

const EVENTS = 'text/event-stream';

/** The library refuses a client that does not accept both forms; many common ones name one, or any. */
function takingBoth({ url, method, headers }: Request): Request {
  const both = new Headers(headers);
  both.set('Accept', `application/json, ${EVENTS}`);
  return new Request(url, { method, headers: both });
}

/** The message in the one event of an answer. */
const dataOf = (event: string): string =>
  event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []))
    .join('\n');

/** Without its own schema a method's wrong parameters are answered as a failure of the server. */
const PAGE = z.looseObject({ cursor: z.string().optional() });
const RESOURCE = z.looseObject({ uri: z.string() });

function createServer(serving: Serving): McpServer {
  const mcp = new McpServer(
    { name: 'email-verification', title: 'E-mail verification', version: serving.version },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false, subscribe: false } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: FIXED_TTL_MS }, 'resources/templates/list': { ttlMs: FIXED_TTL_MS } },
    },
  );
  // The library's own registry would check arguments before the route does, and refuse in its own words.
  mcp.server.setRequestHandler('tools/list', { params: PAGE }, () => ({ tools: listTools() }));
  mcp.server.setRequestHandler('tools/call', ({ params }) => callTool(serving, params.name, params.arguments ?? {}));
  mcp.server.setRequestHandler('resources/list', { params: PAGE }, ({ cursor }) => listResources(serving, cursor));
  mcp.server.setRequestHandler('resources/templates/list', { params: PAGE }, () => ({ resourceTemplates: [POLICY] }));
  mcp.server.setRequestHandler('resources/read', { params: RESOURCE }, ({ uri }) => readResource(serving, uri));
  return mcp;
}

async function callTool({ call }: Serving, name: string, input: unknown): Promise<CallToolResult> {
  const tool = toolCall(name, input);
  if (tool === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No tool has this name: see tools/list.');
  const { status, body } = await call(tool);
  const text = JSON.stringify(body);
  return {
    content: [{ type: 'text', text }],
    structuredContent: body as Record<string, unknown>,
    isError: status >= 400,
  };
}

/** The glossary, then the account's policies, page by page. */
async function listResources({ call }: Serving, cursor: string | undefined): Promise<ListResourcesResult> {
  const { policies, cursor: next } = answerOf(await call(policiesCall(cursor))) as z.infer<typeof PolicyList>;
  const { uri, name, title, description, mimeType } = GLOSSARY;
  const resources = policies.map((policy) => ({
    uri: policyUri(policy.slug),
    name: `${POLICY.name}-${policy.slug}`,
    title: `${POLICY.title} ${policy.slug}`,
    description: POLICY.description,
    mimeType: POLICY.mimeType,
  }));
  return {
    resources: cursor === undefined ? [{ uri, name, title, description, mimeType }, ...resources] : resources,
    ...(next !== null && { nextCursor: next }),
  };
}

async function readResource({ call, readGlossary }: Serving, uri: string): Promise<ReadResourceResult> {
  if (uri === GLOSSARY.uri) return { contents: [{ uri, mimeType: GLOSSARY.mimeType, text: await readGlossary() }] };
  const slug = policySlug(uri);
  if (slug === null)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No resource has this URI: see resources/list.');
  const text = JSON.stringify(answerOf(await call(policyCall(slug))));
  return { contents: [{ uri, mimeType: POLICY.mimeType, text }] };
}

/** A verb's answer. A refusal becomes a protocol error with the envelope as its data: resources have no other form. */
function answerOf({ status, body }: Pick<Called, 'status' | 'body'>): unknown {
  if (status < 400) return body;
  const { error } = body as ErrorEnvelope;
  const isCallers = error.code === 'not_found' || error.code === 'invalid_request';
  throw new ProtocolError(
    isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    error.message,
    body,
  );
}

let listed: Tool[] | null = null;

const listTools = (): Tool[] =>
  (listed ??= TOOLS.map((tool) => {
    const { body, response } = toolRoute(tool);
    const { name, title, description, annotations } = tool;
    const answers = 'schema' in response ? [response.schema, ErrorEnvelope] : [ErrorEnvelope];
    return {
      name,
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: jsonSchema(body.schema) as Tool['inputSchema'],
      // Clients of the first generation check refusals against it too.
      outputSchema: { type: 'object', anyOf: answers.map(jsonSchema) },
    };
  }));

/** The schema as a sender reads it, which allows further fields. */
function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema: node }) => widen(node),
  });
  return JSON.parse(JSON.stringify(rest), withOneType);
}

/** Some clients read one `type` a node, and zod writes two after running overrides. */
function withOneType(_: string, node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('type' in node) || !Array.isArray(node.type)) return node;
  const { type: types, ...rest } = node;
  return { ...rest, anyOf: types.map((type: unknown) => ({ type })) };
}

/**
 * Leaves out what some clients can't read. Several model vendors refuse patterns with look-aheads. Clients of the first
 * generation read draft 7, which ignores `prefixItems`; the items of our tuples are all of one kind.
 */
function widen(node: z.core.JSONSchema.BaseSchema): void {
  delete node.pattern;
  if (node.prefixItems === undefined) return;
  const { length, 0: item } = node.prefixItems;
  Object.assign(node, { items: item, minItems: length, maxItems: length });
  delete node.prefixItems;
}
