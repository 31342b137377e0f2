import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { Log, LogLevel } from 'miniflare';

export interface RuntimeLog {
  readonly timestamp: number;
  readonly level: string;
  readonly message: string;
}

const FILE_BYTES_MAX = 10_000_000;
const OLD_FILES = 3;

/** The log, and the files it becomes as it grows, newest first. */
export const logFiles = (path: string): string[] => [
  path,
  ...Array.from({ length: OLD_FILES }, (_, i) => `${path}.${i + 1}`),
];

/** A place in the bundle, as V8 writes it into a stack. */
const PLACE = /(?:file:\/\/\/)?\bindex\.js:(\d+):(\d+)/g;

/** Parses a source map once: that takes tens of milliseconds, and the runtime waits until its log is read. */
export function lazySourceMap(text: string): () => SourceMap | null {
  let map: SourceMap | null = null;
  return () => (text === '' ? null : (map ??= new SourceMap(JSON.parse(text))));
}

/** Replaces the bundle's places by files and lines of the source. */
function mapPlaces(text: string, sourceMap: () => SourceMap | null): string {
  if (text.search(PLACE) < 0) return text;
  const map = sourceMap();
  if (map === null) return text;
  return text.replaceAll(PLACE, (place, line, column) => {
    const origin = map.findOrigin(Number(line), Number(column));
    return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : place;
  });
}

export interface WorkerLogOptions {
  readonly sourceMap?: () => SourceMap | null;
  readonly bytesMax?: number;
  /** Shows on the console what is not the Worker's own structured line: an uncaught error, a warning of the runtime. */
  readonly show?: (text: string) => void;
}

/**
 * Writes the Worker's log to a file, one JSON line each, so that the console stays readable. Appends to the last run's;
 * a full file is renamed, and three of them are kept.
 */
export function openWorkerLog(
  path: string,
  { sourceMap = () => null, bytesMax = FILE_BYTES_MAX, show = console.error }: WorkerLogOptions = {},
): (log: RuntimeLog) => void {
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;

  function beginNewFile(): void {
    closeSync(file);
    const files = logFiles(path);
    for (let i = files.length - 1; i > 0; i -= 1) {
      const [newer = '', older = ''] = files.slice(i - 1);
      if (existsSync(newer)) renameSync(newer, older);
    }
    file = openSync(path, 'a', 0o600);
    bytes = 0;
  }

  return ({ timestamp, level, message: said }) => {
    const message = mapPlaces(said, sourceMap);
    const structured = message.startsWith('{');
    const at = new Date(timestamp).toISOString();
    const line = structured ? `{"at":"${at}",${message.slice(1)}` : JSON.stringify({ at, level, message });
    if (bytes >= bytesMax) beginNewFile();
    // Synchronous, so that a killed stack loses no line.
    bytes += writeSync(file, `${line}\n`);
    if (!structured && (level === 'error' || level === 'warn')) show(message);
  };
}

/** Options that send the Workers' logs and uncaught errors there. */
export const loggingTo = (log: (line: RuntimeLog) => void) => ({
  log: new Log(LogLevel.WARN),
  logRequests: false,
  handleStructuredLogs: log,
  handleUncaughtError: (error: Error) =>
    log({ timestamp: Date.now(), level: 'error', message: error.stack ?? String(error) }),
});
