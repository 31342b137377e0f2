import { randomUUID } from 'node:crypto';
import {
  accessSync,
  type BigIntStats,
  chmodSync,
  constants,
  createWriteStream,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from './api.ts';

/** Does something with a file. Throws an `OperatorError` that says what can't be done, and the system's code for it. */
export function onFile<T>(file: string, done: 'read' | 'written', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(`${file} can't be ${done} (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

/** What stands there, behind any link; undefined where nothing does. */
const lookAt = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });

function requireFile(path: string, stats: BigIntStats): void {
  if (stats.isDirectory()) throw new OperatorError(`${path} is a directory.`);
  // A pipe's length is not known, and a pipe can't be replaced.
  if (!stats.isFile()) throw new OperatorError(`${path} is not a regular file.`);
}

/** The length in bytes of a file that can be read and is to be sent. */
export function sizeToSend(input: string, maxBytes: number): number {
  const stats = onFile(input, 'read', () => statSync(input, { bigint: true }));
  requireFile(input, stats);
  onFile(input, 'read', () => accessSync(input, constants.R_OK));
  if (stats.size > maxBytes) throw new OperatorError(`${input} is larger than ${maxBytes / 2 ** 20} MB.`);
  return Number(stats.size);
}

/** Whether a file can be written there. `input`: the one it must not be, by whatever name or link. */
export function checkOutput(output: string, input?: string): void {
  const stats = onFile(output, 'written', () => lookAt(output));
  if (stats !== undefined) {
    requireFile(output, stats);
    const read = input === undefined ? undefined : lookAt(input);
    if (stats.dev === read?.dev && stats.ino === read.ino) {
      throw new OperatorError(`${output} is the very file to verify: give the results another name.`);
    }
    // Replacing a file ignores its protection, so the protection is checked here.
    onFile(output, 'written', () => accessSync(output, constants.W_OK));
  }
  const directory = dirname(stats === undefined ? output : realpathSync(output));
  onFile(output, 'written', () => accessSync(`${directory}/.`, constants.W_OK | constants.X_OK));
}

/** Writes a file whole or not at all: beside its place first. Throws an `OperatorError` that says what broke. */
export async function replaceFile(output: string, content: Readable): Promise<void> {
  const old = lookAt(output);
  const place = old === undefined ? output : realpathSync(output);
  const part = join(dirname(place), `.verify-file-${randomUUID()}.part`);
  const mode = old === undefined ? 0o666 : Number(old.mode) & 0o777;
  try {
    // On the disk before the service forgets it.
    await pipeline(content, createWriteStream(part, { flags: 'wx', mode, flush: true }));
    if (old !== undefined) chmodSync(part, mode);
    renameSync(part, place);
  } catch (error) {
    rmSync(part, { force: true });
    const { syscall, code } = error as NodeJS.ErrnoException;
    const why = syscall === undefined ? 'the results broke off' : code;
    throw new OperatorError(`${output} was not written (${why}).`);
  }
}
