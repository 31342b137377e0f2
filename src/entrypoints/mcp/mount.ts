import type { Context, Hono } from 'hono';
import type { ErrorEnvelope } from '../../contract/error.ts';
import { GLOSSARY, MCP } from '../../contract/mcp.ts';
import { DomainError, type RefusalCode } from '../../kernel/errors.ts';
import { callerOf, open, prepare } from '../../services/frame.ts';
import { useSession } from '../../services/keys.ts';
import { answerError, rateHeaders } from '../http/answers.ts';
import type { HttpEnv } from '../http/env.ts';
import { tokenOf } from '../http/middleware.ts';
import { received, wholeInput } from '../http/routes.ts';
import { parseInput, readJsonBody } from '../http/validate.ts';
import { type Called, callVerb, runsVerb } from './verb-calls.ts';
import { inWordsForAgents, mountRegistration } from './wrong-key.ts';

/**
 * `POST /mcp` is authorized like any route. A message that runs a verb (a tool's call, a policy that is read) is
 * authorized by that verb instead, and counts only there.
 */
export function mountMcp(app: Hono<HttpEnv>): void {
  app.on('POST', [MCP.path], async (c) => {
    c.set('route', MCP.path);
    return inWordsForAgents(c, () => answerMessage(c));
  });
  mountRegistration(app);
}

async function answerMessage(c: Context<HttpEnv>): Promise<Response> {
  c.set('caller', c.get('person') ?? callerOf(c.get('deps'), tokenOf(c)));
  const body = await readJsonBody(c, MCP, MCP.body.limitBytes);
  const read = body.fault ?? (await parseInput(MCP, { params: undefined, query: undefined, body: body.value }));
  let authorize: () => Promise<unknown>;
  try {
    const exchange = open(c.get('deps'), 'mcp', MCP, received(c));
    c.set('exchange', exchange);
    authorize = await prepare(c.get('deps'), useSession, exchange, wholeInput(c, MCP, read));
  } catch (fault) {
    if (!(fault instanceof DomainError) || !BODY_FAULTS.has(fault.code)) throw fault;
    return answerFault(c, fault, body.fault === null ? INVALID_REQUEST : PARSE_ERROR);
  }
  const message = read instanceof DomainError ? null : read.body;
  refusePages(c);
  const isCall = runsVerb(message);
  if (!isCall) await authorize();
  // Loaded on first use: the library takes longer to start than all the rest.
  const { serveMessage } = await import('./server.ts');
  const calls: Called[] = [];
  const served = await serveMessage(c.req.raw, message, {
    version: c.get('deps').readHealth().version,
    call: async (verbCall) => {
      const called = await callVerb(c, verbCall);
      calls.push(called);
      return called;
    },
    readGlossary: async () => {
      const page = await c.env.ASSETS.fetch(new Request(new URL(GLOSSARY.page, c.req.url)));
      if (!page.ok) throw new Error('the glossary is among the assets');
      return page.text();
    },
  });
  const headers = new Headers({ 'x-trace-id': c.get('requestId'), 'Cache-Control': 'no-store' });
  if (served.contentType !== null) headers.set('Content-Type', served.contentType);
  const [called] = calls;
  if (called !== undefined) {
    refuseKey(called);
    headers.set('x-trace-id', called.traceId);
    for (const [name, value] of Object.entries(rateHeaders(called.exchange.rate()))) headers.set(name, value);
    const retryAfter = called.headers['Retry-After'];
    if (retryAfter !== undefined) headers.set('Retry-After', retryAfter);
  }
  // The library has refused the call before it came to a verb.
  if (isCall && called === undefined) await authorize();
  return new Response(served.text === '' ? null : served.text, { status: served.status, headers });
}

/** Codes of JSON-RPC 2.0, §5.1: no JSON, and JSON that is not one message. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const BODY_FAULTS: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['invalid_request', 'too_large']);

/** A body without a message has no id to answer. The error's data is the envelope of the routes. */
async function answerFault(c: Context<HttpEnv>, fault: DomainError, code: number): Promise<Response> {
  const refusal = await answerError(fault, c);
  const error = { code, message: fault.message, data: await refusal.json() };
  return new Response(JSON.stringify({ jsonrpc: '2.0', id: null, error }), refusal);
}

/** An invalid key is 401 in HTTP here too, not a tool's answer. */
function refuseKey({ status, body }: Called): void {
  if (status !== 401) return;
  throw new DomainError('unauthorized', (body as ErrorEnvelope).error.message);
}

/**
 * MCP requires each server to refuse web pages, including those of the same origin: DNS rebinding makes any page look
 * like one.
 */
function refusePages(c: Context<HttpEnv>): void {
  if (c.req.header('Origin') !== undefined)
    throw new DomainError('forbidden', 'Web pages are not served: a key is secret and stays out of browsers.');
}
