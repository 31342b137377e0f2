import type { Context } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import { MCP, TOOLS, toolRoute } from '../../contract/tools.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Form, open, type ReadBody } from '../../services/frame.ts';
import type { ObjectExchange } from '../../services/object-exchange.ts';
import type { HttpEnv } from '../http/env.ts';
import { errorAnswer } from '../http/errors.ts';
import { incoming, textFault } from '../http/incoming.ts';
import { answerBody } from '../http/mount.ts';
import { logAnswer, reportFailure, traceIdOf } from '../http/response.ts';
import { VERBS } from '../verbs.ts';

/** The answer to a tool's call, as its route would give it. */
export interface Called {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly traceId: string;
  /** Null: the key's form or MAC is wrong. */
  readonly exchange: ObjectExchange | null;
}

/** Whether a message calls a tool, whose verb then authorises it. */
export function callsTool(message: unknown): boolean {
  const { method, params } = message as {
    readonly method?: unknown;
    readonly params?: { readonly name?: unknown } | null;
  };
  return method === 'tools/call' && TOOLS.some(({ name }) => name === params?.name);
}

/** Calls a tool's verb with its arguments, through the same frame as its route. */
export async function callTool(c: Context<HttpEnv>, name: string, input: unknown): Promise<Called> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw new Error('the message names a tool that is listed');
  const route = toolRoute(tool);
  const path = `${MCP.path}/${name}`;
  const startedAt = c.get('deps').now();
  const body = written(input, route.body.limitBytes);
  const opened: { exchange: ObjectExchange | null } = { exchange: null };
  const request = {
    ...incoming(c, route),
    params: {},
    query: {},
    readBody: async () => body,
    opened: (exchange: ObjectExchange) => {
      opened.exchange = exchange;
    },
  };
  const end = (called: Omit<Called, 'exchange'>, code: Parameters<typeof logAnswer>[1]['code']): Called => {
    const { exchange } = opened;
    const { status, traceId } = called;
    logAnswer(c, { route: path, status, code, traceId, exchange, ms: c.get('deps').now() - startedAt });
    return { ...called, exchange };
  };
  try {
    const verb = VERBS[tool.route];
    const { run } = await open(c.get('deps'), tool.route, verb, request, formOf(verb.route, route));
    const answer = await run();
    const shown = answerBody(route, answer);
    return end({ status: route.response.status, body: shown, headers: {}, traceId: traceIdOf(c, answer) }, null);
  } catch (error) {
    const { status, body: refusal, headers, failure } = errorAnswer(error, c.get('requestId'));
    if (failure !== null) reportFailure(c, failure, path);
    await opened.exchange?.reverse();
    return end({ status, body: refusal, headers, traceId: c.get('requestId') }, refusal.error.code);
  }
}

/** A tool's arguments are one object: the parameters of its route's path are among them. */
const formOf = ({ params, body }: RouteDeclaration, sentAs: RouteDeclaration): Form => ({
  sentAs,
  toInput: (read) =>
    params === undefined || body !== undefined ? read : { ...read, params: read.body, body: undefined },
});

/** The arguments as a body. JSON nested thousands deep can be parsed but not written again: it counts as invalid. */
function written(input: unknown, limitBytes: number): ReadBody {
  try {
    const text = JSON.stringify(input);
    const fault = new TextEncoder().encode(text).length > limitBytes ? textFault('too_large', limitBytes) : null;
    return { text, value: input, fault };
  } catch {
    const fault = new DomainError('invalid_request', 'The body is not valid JSON.');
    return { text: '', value: undefined, fault };
  }
}
