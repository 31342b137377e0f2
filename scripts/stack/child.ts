import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { StackError } from './stack-error.ts';

export interface SignInLink {
  readonly email: string;
  readonly url: string;
}

/** Messages of a child to its parent. */
export type ChildMessage<T> =
  | { readonly ready: T }
  /** It can't continue, for a reason the user can act on; it ends. */
  | { readonly failed: string }
  /** A link for signing in, for the console. */
  | { readonly link: SignInLink }
  /** It started a process of its own. */
  | { readonly started: { readonly name: string; readonly pid: number } };

/** Resolves once the message is sent; a dead parent receives none. */
export const tellParent = <T>(message: ChildMessage<T>): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });

/** Ends this process, running `end` first, once: when the parent asks or is gone, or on a signal. */
export function endWithParent(end: () => Promise<void>): void {
  let ending = false;
  const leave = () => {
    if (ending) return;
    ending = true;
    void end().finally(() => process.exit(0));
  };
  process.once('disconnect', leave);
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
}

/** Runs a child's start; its parent shows its error. Without a parent (run by hand) it is shown here. */
export function runChild(start: () => Promise<void>): void {
  start().catch(async (error: Error) => {
    if (process.send) await tellParent({ failed: error.message });
    else console.error(error.message);
    process.exit(1);
  });
}

const STOP_TIMEOUT_MS = 5_000;

export interface StackChild<T> {
  readonly name: string;
  readonly pid: number;
  /** Rejects with a StackError when the child can't start. */
  readonly ready: Promise<T>;
  /** Resolves when the child has ended unexpectedly, with a message for the user. */
  readonly died: Promise<StackError>;
  send(message: object): void;
  /** Receives every sign-in link. Returns how to stop. */
  onLink(listener: (link: SignInLink) => void): () => void;
  /** Asks the child to end, and ends it after five seconds. */
  stop(): Promise<void>;
}

/**
 * Starts a file of this folder as a child that ends with this process: it watches the channel between them. It has its
 * own process group, so that Ctrl-C in a terminal reaches only the parent, which then ends everything in order. `flags`
 * are for its Node.
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
