import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a reader does with a page of the documentation: `sh` blocks run in their order in one shell, `js [name]` blocks are files. A `txt`
 * block is what the `sh` block before it prints, `…` standing for anything. `<!-- test … -->` is done without being shown.
 */
interface Step {
  readonly kind: 'run' | 'write' | 'expect';
  readonly name: string;
  readonly text: string;
}

const BLOCK =
  /^<!-- test\n(?<hidden>[\s\S]*?)^-->$|^```(?<lang>sh|js|txt)(?: \[(?<name>[\w.-]+)\])?\n(?<text>[\s\S]*?)^```$/gm;

function stepsOf(page: string): Step[] {
  return Array.from(page.matchAll(BLOCK), ({ groups = {} }): Step => {
    const { hidden, lang, name = '', text = '' } = groups;
    if (hidden !== undefined) return { kind: 'run', name: '', text: hidden };
    return { kind: lang === 'sh' ? 'run' : lang === 'js' ? 'write' : 'expect', name, text };
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const patternOf = (expected: string): RegExp =>
  new RegExp(`^${expected.trim().split('…').map(escaped).join('[^]*?')}$`);

/** Runs a page. Returns its exit code and the blocks whose output differs. */
export async function runPage(file: string, env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  try {
    const steps = stepsOf(readFileSync(file, 'utf8'));
    const script = ['set -eu', 'exec 2> errors'];
    for (const [at, { kind, name, text }] of steps.entries()) {
      if (kind === 'write') writeFileSync(join(folder, name), text);
      if (kind === 'run') script.push(`exec > '${join(folder, `out.${at}`)}'`, text);
    }
    // A process group of its own, so that leftovers can be ended.
    const shell = spawn('bash', ['-c', script.join('\n')], {
      cwd: folder,
      env: { ...process.env, ...env },
      detached: true,
      stdio: 'ignore',
    });
    const [code] = (await once(shell, 'exit')) as [number | null];
    try {
      process.kill(-(shell.pid ?? 0));
    } catch {
      // No process is left.
    }
    const printed = (at: number): string => readFileSync(join(folder, `out.${at}`), 'utf8').trim();
    const differs = steps.flatMap(({ kind, text }, at) => {
      if (kind !== 'expect') return [];
      const run = steps.findLastIndex((step, before) => before < at && step.kind === 'run');
      return patternOf(text).test(printed(run)) ? [] : [{ expected: text.trim(), printed: printed(run) }];
    });
    return { code, errors: readFileSync(join(folder, 'errors'), 'utf8'), differs, steps: steps.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
