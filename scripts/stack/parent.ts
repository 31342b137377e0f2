export interface SignInLink {
  readonly email: string;
  readonly url: string;
}

/** What a child of the stack tells its parent. */
export type ChildMessage<T> =
  | { readonly ready: T }
  /** It can't go on, for a reason the user can act on; it ends. */
  | { readonly failed: string }
  /** A link for signing in, for the console. */
  | { readonly link: SignInLink }
  /** It started a process of its own. */
  | { readonly started: { readonly name: string; readonly pid: number } };

/** Resolves when the message is out; a parent that is gone has nothing to hear. */
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

/** Runs a child's start; its error is the parent's to show. Without a parent (run by hand) it is shown here. */
export function runChild(start: () => Promise<void>): void {
  start().catch(async (error: Error) => {
    if (process.send) await tellParent({ failed: error.message });
    else console.error(error.message);
    process.exit(1);
  });
}
