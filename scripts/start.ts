import { parseOptions } from './stack/options.ts';
import { type StackLife, startStack } from './stack/stack.ts';
import { StackError } from './stack/stack-error.ts';

/** `npm start`: the whole service on this machine, with nothing but Node and npm. */

const running: StackLife['running'] = [];
const ending = new AbortController();

/** Ends everything in the opposite order of its start, then this process. Once only. */
async function end(exitCode: number): Promise<void> {
  if (ending.signal.aborted) return;
  ending.abort();
  for (const part of running.toReversed()) {
    try {
      await part.stop();
    } catch (error) {
      console.error(error);
    }
  }
  process.exit(exitCode);
}

function fail(error: unknown): void {
  // Errors while everything is being ended are part of the ending.
  if (ending.signal.aborted) return;
  console.error(error instanceof StackError ? `\n${error.message}` : error);
  void end(1);
}

process.on('SIGINT', () => void end(0));
process.on('SIGTERM', () => void end(0));
// Started by a program with a channel to it (a test run): it ends with that.
process.on('disconnect', () => void end(0));

try {
  await startStack(parseOptions(), { running, ending: ending.signal, onDeath: fail });
} catch (error) {
  fail(error);
}
