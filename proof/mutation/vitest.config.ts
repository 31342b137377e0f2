import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { nodeProject } from '../../test/support/node-project.ts';

const listOf = (name: string): readonly string[] => (process.env[name] ?? '').split(',');

const CHANGED = new Set(listOf('MUTATION_FILES').map((file) => basename(file, '.ts')));
const isOfChanged = ({ moduleId }: TestSpecification): boolean => CHANGED.has(basename(moduleId, '.test.ts'));

/** The first test that fails ends a mutant's run. Those named as a changed file come first, and then the small ones. */
class LikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bytes = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return files.toSorted(
      (one, other) =>
        Number(isOfChanged(other)) - Number(isOfChanged(one)) || (bytes.get(one) ?? 0) - (bytes.get(other) ?? 0),
    );
  }
}

/** The unit tests that are to find a mutant: those of the folders that the run names. */
const unit = nodeProject('unit', {
  include: listOf('MUTATION_TESTS').map((folder) => `test/unit/${folder}/**/*.test.ts`),
});

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  ...unit,
  test: { ...unit.test, sequence: { sequencer: LikelyFirst } },
});
