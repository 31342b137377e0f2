import { setTimeout as sleep } from 'node:timers/promises';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import type { LocalBuild } from './local-build.ts';
import { StackError } from './stack-error.ts';
import { lazySourceMap, openWorkerLog, type RuntimeLog } from './worker-log.ts';

export interface LocalRuntime {
  /** Replaces the current build. Rejects with a StackError if it can't be loaded; the previous one then continues. */
  load(build: LocalBuild): Promise<void>;
  close(): Promise<void>;
}

/** The runtime may end before its last output is read. */
const LAST_WORDS_MS = 1_000;

/** The Worker on workerd, whose log goes to a file. */
export function openLocalRuntime(
  newMiniflare: (options: MiniflareOptions) => Miniflare,
  optionsFor: (build: LocalBuild, log: (line: RuntimeLog) => void) => MiniflareOptions,
  logFile: string,
): LocalRuntime {
  let runtime: Miniflare | null = null;
  let loaded: LocalBuild | null = null;
  let sourceMap = lazySourceMap('');
  /** Output while a build loads is held back; null at other times. */
  let held: { readonly lines: string[]; readonly first: PromiseWithResolvers<string> } | null = null;
  const tell = (text: string): void => console.error(`worker: ${text}`);
  const show = (text: string): void => {
    if (held === null) return tell(text);
    held.lines.push(text);
    held.first.resolve(text);
  };
  const log = openWorkerLog(logFile, { sourceMap: () => sourceMap(), show });

  async function put(build: LocalBuild): Promise<void> {
    sourceMap = lazySourceMap(build.sourceMap);
    const options = optionsFor(build, log);
    if (runtime !== null) return runtime.setOptions(options);
    const first = newMiniflare(options);
    try {
      await first.ready;
    } catch (error) {
      await first.dispose().catch(() => undefined);
      throw error;
    }
    runtime = first;
  }

  /** The first line of a module that throws names what and where; the others follow from it. */
  async function whyNotLoaded(failure: Error & { readonly code?: string }): Promise<string> {
    if (failure.code !== 'ERR_RUNTIME_FAILURE') return failure.message;
    const first = await Promise.race([held?.first.promise, sleep(LAST_WORDS_MS, null, { ref: false })]);
    return first?.replace(/^service core:user:\S+: /, '') ?? failure.message;
  }

  return {
    async load(build) {
      held = { lines: [], first: Promise.withResolvers() };
      try {
        await put(build);
        loaded = build;
        for (const line of held.lines) tell(line);
      } catch (error) {
        const why = await whyNotLoaded(error as Error);
        // Miniflare has ended the previous one to try this one.
        if (loaded !== null) await put(loaded);
        throw new StackError(`The Worker can't be loaded:\n${why}`);
      } finally {
        held = null;
      }
    },
    close: async () => runtime?.dispose(),
  };
}
