import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** TCP_LISTEN of Linux's include/net/tcp_states.h. */
const LISTENING = '0A';
/** 127.0.0.1 in /proc/net/tcp: hexadecimal, the last byte first. */
const LOOPBACK = '0100007F';

export interface ListeningSocket {
  readonly port: number;
  readonly isLoopback: boolean;
}

/** Inodes of the sockets that a process has open. */
const socketsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });

/** Every TCP port on which the running ones of these processes listen, by proc(5). */
export function listeningSockets(pids: readonly number[]): ListeningSocket[] {
  const inodes = new Set(pids.filter((pid) => existsSync(`/proc/${pid}`)).flatMap(socketsOf));
  return ['tcp', 'tcp6'].flatMap((protocol) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && inodes.has(inode ?? ''))
      .map(([, local = '']) => {
        const [address, port = ''] = local.split(':');
        return { port: Number.parseInt(port, 16), isLoopback: address === LOOPBACK };
      }),
  );
}
