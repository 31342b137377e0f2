import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address's fate in each vendor's words. */
const FATES = {
  accepted: [
    { status: 'valid', sub_status: '' },
    { state: 'deliverable', reason: 'accepted_email' },
  ],
  refused: [
    { status: 'invalid', sub_status: 'mailbox_not_found' },
    { state: 'undeliverable', reason: 'rejected_email' },
  ],
  acceptsAll: [
    { status: 'catch-all', sub_status: '' },
    { state: 'risky', reason: 'low_deliverability', accept_all: true },
  ],
  unreachable: [
    { status: 'unknown', sub_status: 'timeout_exceeded' },
    { state: 'unknown', reason: 'timeout' },
  ],
} as const;

/** A stable number from 0 to 1 for a text. */
const fraction = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

function fateOf(email: string): keyof typeof FATES {
  if (fraction(email.split('@')[1] ?? '') < 0.15) return 'acceptsAll';
  const at = fraction(email);
  if (at < 0.12) return 'refused';
  return at < 0.17 ? 'unreachable' : 'accepted';
}

export interface MadeUpVendors {
  /** Settings that make the service ask them. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Two simulated vendors (`--vendors`), to see files and traces with vendors before there is a contract with one. */
export async function startMadeUpVendors(): Promise<MadeUpVendors> {
  const key = randomBytes(16).toString('base64url');
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [zerobounce, emailable] = FATES[fateOf(searchParams.get('email') ?? '')];
    const isKnown = searchParams.get('api_key') === key || headers.authorization === `Bearer ${key}`;
    const body = pathname === '/v2/validate' ? zerobounce : emailable;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(isKnown ? JSON.stringify(body) : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: Object.fromEntries(
      ['ZEROBOUNCE', 'EMAILABLE'].flatMap((vendor) => [
        [`${vendor}_API_KEY`, key],
        [`${vendor}_BASE_URL`, `http://127.0.0.1:${port}`],
      ]),
    ),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
