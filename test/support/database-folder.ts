import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the workers' databases. Workers are killed, so they can't remove it themselves. */
    databaseFolder: string;
  }
}

export default (project: TestProject): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'service-databases-'));
  project.provide('databaseFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
};
