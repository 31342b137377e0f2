import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ChildMessage, SignInLink } from './parent.ts';
import { StackError } from './stack-error.ts';

const STOP_TIMEOUT_MS = 5_000;

export interface StackChild<T> {
  readonly name: string;
  readonly pid: number;
  /** Rejects with a StackError when the child can't start. */
  readonly ready: Promise<T>;
  /** Resolves when the child has ended without being asked to, with what to tell the user. */
  readonly died: Promise<StackError>;
  send(message: object): void;
  /** Hears every link for signing in. Returns what ends it. */
  onLink(listener: (link: SignInLink) => void): () => void;
  /** Asks the child to end, and ends it after five seconds. */
  stop(): Promise<void>;
}

/**
 * Starts a file of this folder as a child that ends when this process does: it watches the channel between them. It has a
 * process group of its own, so that Ctrl-C in a terminal reaches the parent alone, which then ends everything in order. `flags`
 * are for its Node, beside those of this one.
 */
export function startChild<T>(
  name: string,
  file: string,
  args: readonly string[],
  onStarted: (name: string, pid: number) => void,
  flags: readonly string[] = [],
): StackChild<T> {
  const execArgv = [...process.execArgv, ...flags];
  const child: ChildProcess = fork(join(import.meta.dirname, file), args, { detached: true, execArgv });
  const { pid } = child;
  if (pid === undefined) throw new StackError(`The ${name} process could not be started.`);
  const exited = once(child, 'exit');
  const listeners = new Set<(link: SignInLink) => void>();
  let stopping = false;
  let failure = new StackError(`The ${name} process ended by itself.`);

  const ready = new Promise<T>((resolve, reject) => {
    child.on('message', (message: ChildMessage<T>) => {
      if ('ready' in message) resolve(message.ready);
      else if ('failed' in message) failure = new StackError(message.failed);
      else if ('link' in message) for (const listener of listeners) listener(message.link);
      else onStarted(message.started.name, message.started.pid);
    });
    void exited.then(() => reject(failure));
  });
  // A waiting caller sees the rejection; a stop before anyone waited must not end the process.
  ready.catch(() => {});

  onStarted(name, pid);
  return {
    name,
    pid,
    ready,
    died: exited.then(() => (stopping ? new Promise(() => {}) : failure)),
    send: (message) => child.send(message),
    onLink(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping = true;
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      if (child.exitCode === null && child.signalCode === null) await exited;
      clearTimeout(timer);
    },
  };
}
