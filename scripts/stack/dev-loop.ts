import { join, relative } from 'node:path';
import type { LocalBuild, LocalBuilder } from './local-build.ts';
import type { LocalRuntime } from './local-runtime.ts';
import { StackError } from './stack-error.ts';
import { watchFolders } from './watch.ts';

/** What the Worker is made of. */
const SOURCES = ['src', 'public'];

export interface DevLoop {
  readonly project: string;
  readonly builder: LocalBuilder;
  /** Under way since before the runtime was there. */
  readonly firstBuild: Promise<LocalBuild>;
  readonly runtime: LocalRuntime;
  /** Given what stops the watching, as soon as it has begun. */
  readonly onWatching: (stop: () => void) => void;
}

/**
 * `npm run dev`: runs the source as it is, and again after each change. A fault in it goes to the console, and what ran before
 * goes on. Resolves once something runs.
 */
export async function runDevLoop({ project, builder, firstBuild, runtime, onWatching }: DevLoop): Promise<void> {
  const up = Promise.withResolvers<void>();
  let isUp = false;

  async function run(build: Promise<LocalBuild>): Promise<boolean> {
    try {
      await runtime.load(await build);
      isUp = true;
      up.resolve();
      return true;
    } catch (error) {
      const then = isUp ? 'The Worker from before goes on.' : 'The Worker starts once the source is mended.';
      console.error(error instanceof StackError ? `${error.message}\n${then}` : error);
      return false;
    }
  }

  // Watched from here on: what is saved while the first is loaded is a change.
  const first = run(firstBuild);
  async function restart(file: string): Promise<void> {
    await first;
    const startedMs = performance.now();
    if (!(await run(builder.build()))) return;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`The Worker restarted after ${seconds} s: ${relative(project, file)} changed`);
  }

  const folders = SOURCES.map((folder) => join(project, folder));
  onWatching(watchFolders(folders, restart, (error) => console.error('The source can’t be watched:', error)));
  await up.promise;
}
