import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeService, FakeSes } from '../../scripts/mail-fakes/services.ts';

/** Amazon's host, as `SNS_BASE_URL` names it: it has the certificates of fakes, and confirms subscriptions. */
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
    /** Shows the certificate of a fake that signs with one. */
    show(fake: FakeService): void {
      if (!('certificate' in fake)) return;
      const { path, pem } = (fake as FakeSes).certificate;
      certificates.set(path, pem);
    },
    stop: () => void server.close(),
  };
}
