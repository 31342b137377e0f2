import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ErrorEnvelope } from '../../contract/error.ts';
import { INSTRUCTIONS, TOOLS, toolRoute } from '../../contract/tools.ts';

/** Tools change with a deployment only. */
const LIST_TTL_MS = 3_600_000;

/** What answers a message: the version it names, and how it calls a tool. */
export interface Serving {
  readonly version: string;
  readonly callTool: (name: string, input: unknown) => Promise<CallToolResult>;
}

export interface Served {
  readonly status: number;
  readonly contentType: string | null;
  /** Empty for a message that has no answer. */
  readonly text: string;
}

/**
 * Answers one JSON-RPC message in either generation of the protocol: up to 2025-11-25 after a handshake and as an event,
 * 2026-07-28 at once and in plain JSON. It keeps no state between messages. It throws our own bugs, whose message the library
 * would answer with.
 */
export async function serveMessage(request: Request, message: unknown, serving: Serving): Promise<Served> {
  const bugs: unknown[] = [];
  const callTool: Serving['callTool'] = async (name, input) => {
    try {
      return await serving.callTool(name, input);
    } catch (bug) {
      bugs.push(bug);
      throw bug;
    }
  };
  const failures: Error[] = [];
  const handler = createMcpHandler(() => createServer({ ...serving, callTool }), {
    // Clients can't subscribe to anything, and an answer is whole before it leaves.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => void failures.push(error),
  });
  const response = await handler.fetch(request, { parsedBody: message });
  const text = await response.text();
  if (bugs.length > 0) throw bugs[0];
  if (response.status >= 500) throw failures[0] ?? new Error('an MCP message was not served');
  return { status: response.status, contentType: response.headers.get('Content-Type'), text };
}

function createServer({ version, callTool }: Serving): McpServer {
  const mcp = new McpServer(
    { name: 'email-verification', title: 'E-mail verification', version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS } },
    },
  );
  // The library's own registry would check arguments before the route does, and refuse in its own words.
  mcp.server.setRequestHandler('tools/list', () => ({ tools: listTools() }));
  mcp.server.setRequestHandler('tools/call', ({ params }) => {
    if (!TOOLS.some(({ name }) => name === params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No tool has this name: see tools/list.');
    }
    return callTool(params.name, params.arguments ?? {});
  });
  return mcp;
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
  return rest;
}

/**
 * Leaves out what some clients can't read. Several vendors of models refuse patterns with look-aheads. Clients of the first
 * generation read draft 7, which ignores `prefixItems`; the items of our tuples are all of one kind.
 */
function widen(node: z.core.JSONSchema.BaseSchema): void {
  delete node.pattern;
  if (node.prefixItems === undefined) return;
  const { length, 0: item } = node.prefixItems;
  Object.assign(node, { items: item, minItems: length, maxItems: length });
  delete node.prefixItems;
}
