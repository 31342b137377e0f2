import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the workers keep the files of their databases. A worker is killed, so it can't remove them itself. */
    databaseFolder: string;
  }
}

export default (project: TestProject): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'service-databases-'));
  project.provide('databaseFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
};
