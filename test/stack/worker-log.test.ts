import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { API_ENTRY, openLocalBuilder } from '../../scripts/stack/local-build.ts';
import { logFiles, lazySourceMap, openWorkerLog } from '../../scripts/stack/worker-log.ts';

const PROJECT = join(import.meta.dirname, '../..');

function newLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'worker-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'worker.log');
}

const said = (message: string) => ({ timestamp: 0, level: 'info', message });

describe('the Worker’s log', () => {
  it('continues where the last run stopped, only for its owner', () => {
    const path = newLog();
    for (const run of ['first', 'second']) openWorkerLog(path)(said(`{"run":"${run}"}`));
    const at = '1970-01-01T00:00:00.000Z';
    expect(readFileSync(path, 'utf8')).toBe(`{"at":"${at}","run":"first"}\n{"at":"${at}","run":"second"}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is kept under another name once it is full, three times, a run’s end in between', () => {
    const path = newLog();
    for (let n = 1; n <= 6; n += 1) openWorkerLog(path, { bytesMax: 10 })(said(`{"n":${n}}`));
    const numbers = logFiles(path).map((file) => Number(/"n":(\d)/.exec(readFileSync(file, 'utf8'))?.[1]));
    expect(numbers).toEqual([6, 5, 4, 3]);
    expect(existsSync(`${path}.4`)).toBe(false);
  });

  it('names files and lines as they are written in the place of a stack, in its lines and in what is uncaught', async () => {
    const builder = await openLocalBuilder(PROJECT, API_ENTRY);
    onTestFinished(() => builder.close());
    const { modules, sourceMap } = await builder.build();
    const lines = Buffer.from(modules[0]?.contents ?? [])
      .toString()
      .split('\n');
    // Unminified: the function has its name.
    const line = lines.findIndex((text: string) => text.includes('function connectDatabase(')) + 1;
    const column = (lines[line - 1]?.indexOf('connectDatabase') ?? 0) + 1;
    const source = readFileSync(join(PROJECT, 'src/storage/postgres/client.ts'), 'utf8').split('\n');
    const written = source.findIndex((text) => text.includes('function connectDatabase(')) + 1;

    const path = newLog();
    const log = openWorkerLog(path, { sourceMap: lazySourceMap(sourceMap), show: () => undefined });
    log(said(`{"stack":"Error: x\\n    at connectDatabase (index.js:${line}:${column})"}`));
    log(said(`Error: x\n    at connectDatabase (file:///index.js:${line}:${column})`));
    const places = readFileSync(path, 'utf8').match(/at connectDatabase \([^)]+\)/g);
    expect(places).toHaveLength(2);
    for (const place of places ?? [])
      expect(place).toMatch(new RegExp(`\\(src/storage/postgres/client\\.ts:${written}:\\d+\\)`));
  });
});
