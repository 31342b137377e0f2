import type { Context, Hono } from 'hono';
import { DomainError } from '../../kernel/errors.ts';
import type { HttpEnv } from '../http/env.ts';

/** Read by people whose agent can't connect, and who set it up. */
const WHERE_IT_STANDS =
  'Put `Authorization: Bearer <API_KEY>` among the headers of this server in the settings of your agent, then connect again.';
const MISSING_KEY = `The API key is missing. ${WHERE_IT_STANDS}`;
const WRONG_KEY = `The API key is wrong or has been revoked: ask an admin of your account for another. ${WHERE_IT_STANDS}`;
const NO_OAUTH = `This service takes API keys and has no sign-in by OAuth; the key is missing, wrong or revoked. ${WHERE_IT_STANDS}`;

/** Where clients register without a description of an OAuth server (RFC 7591, as MCP has it). */
const REGISTRATION_PATH = '/register';

export async function inWordsForAgents(c: Context<HttpEnv>, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'unauthorized') throw error;
    throw new DomainError('unauthorized', c.req.header('Authorization') === undefined ? MISSING_KEY : WRONG_KEY);
  }
}

/**
 * After a 401 most agents look for OAuth. Finally they try to register, and show the answer: so it repeats the 401's
 * message.
 */
export function mountRegistration(app: Hono<HttpEnv>): void {
  app.post(REGISTRATION_PATH, (c) => {
    c.set('route', REGISTRATION_PATH);
    return c.json({ error: 'invalid_client_metadata', error_description: NO_OAUTH }, 400);
  });
}
