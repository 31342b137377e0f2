import { watch } from 'node:fs';
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
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, file) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        changed = join(folder, file ?? '');
        void run();
      }, SETTLE_MS);
    }).on('error', onFault),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
