import { Refusal } from './answers.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** An upload's. A form of another site can send neither type without asking first, and every such question is refused. */
const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;

/** Refuses what another site may have sent with the person's cookies. */
export function requireOwnOrigin(request: Request, url: string): void {
  const site = request.headers.get('sec-fetch-site');
  if (site === 'cross-site') throw new Refusal('forbidden', 'This was sent from another site.');
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers.get('origin') !== url || (site !== null && site !== 'same-origin'))
    throw new Refusal('forbidden', 'This was sent from another site.');
  const type = request.headers.get('content-type');
  if (type === null ? request.body !== null : !JSON_TYPE.test(type) && !CSV_TYPE.test(type))
    throw new Refusal('invalid_request', 'Send JSON.');
}
