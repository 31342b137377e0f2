import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode } from '@leichtgewicht/dns-packet';
import { lookUp, respond } from '../stack/dns-server.ts';
import { publicZone, testZone } from '../stack/dns-zones.ts';

/** The local stack's zones for libraries that ask the system's resolver. Returns its address, and what ends it. */
export async function serveZones(): Promise<{ readonly address: string; stop(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const query = decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return;
    const answer = lookUp(testZone, question) ?? lookUp(publicZone, question);
    if (answer?.fails === 'silent') return;
    socket.send(respond(query, answer?.rcode ?? 'SERVFAIL', answer?.answers ?? []), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}
