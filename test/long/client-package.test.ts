import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientProject, openClientProject, run } from '../../client/test/packed-project.ts';
import { fetchedProgram } from '../support/fetched-program.ts';

const FETCH_LIMIT_MS = 300_000;

let project: ClientProject;
beforeAll(async () => {
  project = await openClientProject();
});
afterAll(() => project.remove());

/** What a checker of packages prints about the packed client; it fails on the first fault. */
async function checked(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [program, ...words], { cwd: project.built });
  return stdout;
}

it('publint finds no fault in the packed client', { timeout: FETCH_LIMIT_MS }, async () => {
  const publint = await fetchedProgram('publint', '0.3.25');
  expect(await checked(publint, '--strict', project.tarball)).toContain('All good!');
});

it(
  'its types are found by every moduleResolution: node10, node16 of both kinds, bundler',
  {
    timeout: FETCH_LIMIT_MS,
  },
  async () => {
    const attw = await fetchedProgram('@arethetypeswrong/cli', '0.18.5', 'attw');
    const { analysis, problems } = JSON.parse(await checked(attw, '--format', 'json', project.tarball)) as {
      readonly analysis: { readonly entrypoints: Readonly<Record<string, { readonly resolutions: object }>> };
      readonly problems: object;
    };
    expect(problems).toEqual({});
    expect(Object.keys(analysis.entrypoints['.']?.resolutions ?? {})).toEqual([
      'node10',
      'node16-cjs',
      'node16-esm',
      'bundler',
    ]);
  },
);
