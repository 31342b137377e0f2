import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import type { LocalBuild, LocalBuilder } from './local-build.ts';
import type { LocalRuntime } from './local-runtime.ts';
import { StackError } from './stack-error.ts';

/** All files of a save are written within this time. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` with the last changed file below these folders; never concurrently, and once more for all changes
 * meanwhile. `onFault`: a folder can't be watched any longer, or a change was not taken. Returns how to stop.
 */
export function watchFolders(
  folders: readonly string[],
  onChange: (file: string) => Promise<void>,
  onFault: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let changed: string | null = null;
  let isRunning = false;
  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (changed !== null) {
      const file = changed;
      changed = null;
      await onChange(file).catch(onFault);
    }
    isRunning = false;
  }
  // Each folder by itself: Node's recursive watch goes by inodes on Linux, and loses a file that an editor replaces by a rename.
  const watchers = new Map<string, FSWatcher>();
  const watchBelow = (folder: string): void => {
    for (const each of foldersBelow(folder)) {
      if (watchers.has(each)) continue;
      const watcher = watch(each, (_, file) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          changed = join(each, file ?? '');
          watchBelow(each);
          void run();
        }, SETTLE_MS);
      });
      watcher.on('error', onFault).on('close', () => watchers.delete(each));
      watchers.set(each, watcher);
    }
  };
  for (const folder of folders) watchBelow(folder);
  return () => {
    clearTimeout(timer);
    for (const watcher of Array.from(watchers.values())) watcher.close();
  };
}

/** A folder that is gone again has none. */
function foldersBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return [
      folder,
      ...entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name)),
    ];
  } catch {
    return [];
  }
}

/** What the Worker is made of. */
const SOURCE = 'src';

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
 * `npm run dev`: runs the source, and again after each change. A fault goes to the console, and the previous Worker
 * continues. Resolves once something runs.
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

  onWatching(
    watchFolders([join(project, SOURCE)], restart, (error) => console.error('The source can’t be watched:', error)),
  );
  await up.promise;
}
