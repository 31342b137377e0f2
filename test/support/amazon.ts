import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeService, FakeSes } from '../../scripts/mail-fakes/services.ts';

/** Stands in for the host in `SNS_BASE_URL`: serves the fakes' certificates and records confirmations. */
export async function startAmazon() {
  const certificates = new Map<string, string>();
  const confirmed: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.includes('ConfirmSubscription')) confirmed.push(path);
    const pem = certificates.get(path);
    response.writeHead(pem !== undefined || path.includes('ConfirmSubscription') ? 200 : 404).end(pem ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The paths of subscriptions that were confirmed. */
    confirmed,
    /** Serves the certificate of a fake that has one. */
    show(fake: FakeService): void {
      if (!('certificate' in fake)) return;
      const { path, pem } = (fake as FakeSes).certificate;
      certificates.set(path, pem);
    },
    stop: () => void server.close(),
  };
}
