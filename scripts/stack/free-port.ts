import { once } from 'node:events';
import { createServer } from 'node:net';
import { StackError } from './stack-error.ts';

/** Refuses with a StackError when something else listens on the port. */
export async function requireFreePort(port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new StackError(`Port ${port} is taken. Choose another with --port N.`);
    if (code === 'EACCES')
      throw new StackError(`Port ${port} needs more rights than this process has. Choose one above 1023.`);
    throw error;
  } finally {
    server.close();
  }
}

/** Below the ports that connections are given: one of those may be taken again before the stack listens. */
const [PORT_FROM, PORTS] = [12_000, 18_000];

/** A port that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_FROM + Math.floor(Math.random() * PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The dashboard's port: the given one, else the one after the service's if free, else any free one. */
export async function dashboardPort(wanted: number | undefined, servicePort: number): Promise<number> {
  if (wanted !== undefined) {
    await requireFreePort(wanted);
    return wanted;
  }
  const beside = servicePort + 1;
  return requireFreePort(beside).then(() => beside, freePort);
}
