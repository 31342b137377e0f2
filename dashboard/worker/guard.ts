import { Refusal } from './answers.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** An upload's. A form of another site can send neither type without asking first, and every such question is refused. */
const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;

/** A link that was followed from another site, as one in a webmail. It leads to a page alone: the same for everybody, without a session. */
const isFollowedLink = ({ headers }: Request, pathname: string): boolean =>
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document' &&
  !pathname.startsWith('/api/') &&
  !pathname.startsWith('/auth/');

/** Refuses what another site may have sent with the person's cookies. */
export function requireOwnOrigin(request: Request, url: string): void {
  const site = request.headers.get('sec-fetch-site');
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (site === 'cross-site' && !(reads && isFollowedLink(request, new URL(request.url).pathname)))
    throw new Refusal('forbidden', 'This was sent from another site.');
  if (reads) return;
  if (request.headers.get('origin') !== url || (site !== null && site !== 'same-origin'))
    throw new Refusal('forbidden', 'This was sent from another site.');
  const type = request.headers.get('content-type');
  if (type === null ? request.body !== null : !JSON_TYPE.test(type) && !CSV_TYPE.test(type))
    throw new Refusal('invalid_request', 'Send JSON.');
}
