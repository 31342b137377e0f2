import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** What a save is made of comes within this time. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` after something below these folders changed, with the file that did last; never twice at once, and once more
 * for all that changed meanwhile. `onFault`: a folder can't be watched any longer, or a change was not taken. Returns what stops it.
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
