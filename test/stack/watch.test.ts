import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchFolders } from '../../scripts/stack/dev-loop.ts';

it('a change during another is one more change, also after a failed one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const gates: PromiseWithResolvers<void>[] = [];
  const faults: unknown[] = [];
  const onChange = (): Promise<void> => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  };
  const stop = watchFolders([folder], onChange, (error) => void faults.push(error));
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  const save = () => writeFileSync(join(folder, 'a.ts'), String(Math.random()));
  save();
  await vi.waitFor(() => expect(gates).toHaveLength(1));
  for (let burst = 0; burst < 3; burst += 1) {
    save();
    await sleep(150);
  }
  gates[0]?.reject(new Error('a fault'));
  await vi.waitFor(() => expect(gates).toHaveLength(2));
  gates[1]?.resolve();
  await sleep(150);
  expect({ calls: gates.length, faults: faults.length }).toEqual({ calls: 2, faults: 1 });
});

it('a file that is replaced by a rename, and one in a folder made since, are changes each time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const seen: string[] = [];
  const stop = watchFolders(
    [folder],
    async (file) => void seen.push(file),
    (error) => {
      throw error;
    },
  );
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  const replace = (name: string) => {
    writeFileSync(join(folder, `${name}.new`), String(Math.random()));
    renameSync(join(folder, `${name}.new`), join(folder, name));
  };
  for (let count = 1; count <= 3; count += 1) {
    replace('a.ts');
    await vi.waitFor(() => expect(seen).toHaveLength(count));
  }
  expect(seen.at(-1)).toBe(join(folder, 'a.ts'));
  mkdirSync(join(folder, 'part'));
  await vi.waitFor(() => expect(seen).toHaveLength(4));
  writeFileSync(join(folder, 'part/b.ts'), '');
  await vi.waitFor(() => expect(seen.at(-1)).toBe(join(folder, 'part/b.ts')));
});
