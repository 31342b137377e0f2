import type { Context } from 'hono';
import { MCP, TOOLS, toolRoute } from '../../contract/tools.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parse, type ReadBody, serve } from '../../services/frame.ts';
import type { ObjectExchange } from '../../services/object-exchange.ts';
import type { AnyVerb } from '../../services/verb.ts';
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

/** Calls a tool's verb with its arguments, through the same frame as its route. */
export async function callTool(c: Context<HttpEnv>, name: string, input: unknown): Promise<Called> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw new Error('the message names a tool that is listed');
  const route = toolRoute(tool);
  const path = `${MCP.path}/${name}`;
  const startedAt = c.var.deps.now();
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
    logAnswer(c, { route: path, status, code, traceId, exchange, ms: c.var.deps.now() - startedAt });
    return { ...called, exchange };
  };
  try {
    const answer = await serve(c.var.deps, tool.route, asTool(VERBS[tool.route] as AnyVerb), request, route);
    const shown = answerBody(route, answer);
    return end({ status: route.response.status, body: shown, headers: {}, traceId: traceIdOf(c, answer) }, null);
  } catch (error) {
    const { status, body: refusal, headers, failure } = errorAnswer(error, c.var.requestId);
    if (failure !== null) reportFailure(c, failure, path);
    await opened.exchange?.reverse();
    return end({ status, body: refusal, headers, traceId: c.var.requestId }, refusal.error.code);
  }
}

/** The verb as a tool: its path's parameters are among the arguments, which are one object. */
function asTool(verb: AnyVerb): AnyVerb {
  if (verb.route.params === undefined || verb.route.body !== undefined) return verb;
  return {
    ...verb,
    parse: ({ body, ...input }: { readonly body: unknown }, caller, deps) =>
      parse(deps, verb, caller, { ...input, params: body }),
  };
}

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
