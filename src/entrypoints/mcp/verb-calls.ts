import type { Context } from 'hono';
import { policySlug, MCP, TOOLS, toolRoute } from '../../contract/mcp.ts';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { KeyedRouteId } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { open, prepare } from '../../services/frame.ts';
import type { ObjectExchange } from '../../services/object-exchange.ts';
import type { RawInput } from '../../services/verb.ts';
import type { HttpEnv, ReadBody } from '../http/env.ts';
import { errorAnswer } from '../http/errors.ts';
import { answerBody, logAnswer, reportFailure, traceIdOf } from '../http/answers.ts';
import { received, wholeInput } from '../http/routes.ts';
import { parseInput, textFault } from '../http/validate.ts';
import { VERBS } from '../verbs.ts';

/** A verb that a message runs, and its input. */
export interface VerbCall {
  readonly id: KeyedRouteId;
  readonly name: string;
  /** The route with its parameters in the body. */
  readonly sentAs: ReturnType<typeof toolRoute>;
  readonly input: unknown;
  readonly query: Readonly<Record<string, string>>;
}

/** The verb's answer, as its route would give it. */
export interface Called {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly traceId: string;
  readonly exchange: ObjectExchange;
}

/** Whether a message runs a verb, which then authorizes it. */
export function runsVerb(message: unknown): boolean {
  const { method, params } = message as {
    readonly method?: unknown;
    readonly params?: { readonly name?: unknown; readonly uri?: unknown } | null;
  };
  if (method === 'tools/call') return TOOLS.some(({ name }) => name === params?.name);
  return method === 'resources/list' || (method === 'resources/read' && policySlug(params?.uri) !== null);
}

/** Null means no tool has this name. */
export function toolCall(name: string, input: unknown): VerbCall | null {
  const tool = TOOLS.find((each) => each.name === name);
  return tool === undefined ? null : { id: tool.route, name, sentAs: toolRoute(tool), input, query: {} };
}

export const policyCall = (slug: string): VerbCall => ({
  id: 'policy',
  name: 'policy',
  sentAs: toolRoute({ name: 'policy', route: 'policy' }),
  input: { slug },
  query: {},
});

export const policiesCall = (cursor: string | undefined): VerbCall => ({
  id: 'policies',
  name: 'policies',
  sentAs: toolRoute({ name: 'policies', route: 'policies' }),
  input: {},
  query: cursor === undefined ? {} : { cursor },
});

/** Runs a verb through the same frame as its route. */
export async function callVerb(c: Context<HttpEnv>, { id, name, sentAs, input, query }: VerbCall): Promise<Called> {
  const path = `${MCP.path}/${name}`;
  const deps = c.get('deps');
  const startedAt = deps.now();
  const body = written(input, sentAs.body.limitBytes);
  const exchange = open(deps, id, VERBS[id].route, { ...received(c), text: body.text });
  const end = (called: Omit<Called, 'exchange'>, code: Parameters<typeof logAnswer>[1]['code']): Called => {
    const { status, traceId } = called;
    logAnswer(c, { route: path, status, code, traceId, exchange, ms: deps.now() - startedAt });
    return { ...called, exchange };
  };
  try {
    const verb = VERBS[id];
    const read = body.fault ?? (await parseInput(sentAs, { params: {}, query, body: body.value }));
    const given = read instanceof DomainError ? read : inForm(verb.route, read);
    const run = await prepare(deps, verb, exchange, wholeInput(c, sentAs, given));
    const answer = await run();
    const shown = answerBody(sentAs, answer);
    return end({ status: sentAs.response.status, body: shown, headers: {}, traceId: traceIdOf(c, answer) }, null);
  } catch (error) {
    const { status, body: refusal, headers, failure } = errorAnswer(error, c.get('requestId'));
    if (failure !== null) reportFailure(c, failure, path);
    await exchange.reverse();
    return end({ status, body: refusal, headers, traceId: c.get('requestId') }, refusal.error.code);
  }
}

/** Arguments are one object: the parameters of the route's path are among them. */
const inForm = ({ params, body }: RouteDeclaration, read: RawInput): RawInput =>
  params === undefined || body !== undefined ? read : { ...read, params: read.body, body: undefined };

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
