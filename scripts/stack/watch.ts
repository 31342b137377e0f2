import { watch } from 'node:fs';
import { join } from 'node:path';

/** What a save is made of comes within this time. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` after something below these folders changed, with the file that did last; never twice at once, and once more
 * for what changed meanwhile. Returns what stops it.
 */
export function watchFolders(folders: readonly string[], onChange: (file: string) => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, file) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(() => onChange(join(folder, file ?? '')));
      }, SETTLE_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
