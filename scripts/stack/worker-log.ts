import { openSync, writeSync } from 'node:fs';

export interface RuntimeLog {
  readonly timestamp: number;
  readonly level: string;
  readonly message: string;
}

/**
 * Writes what the Worker logs to a file, one JSON line each, so that the console stays readable; what is not the Worker's
 * own structured line (an uncaught error, a warning of the runtime) is shown on the console too. Begins a new file.
 */
export function openWorkerLog(path: string): (log: RuntimeLog) => void {
  const file = openSync(path, 'w', 0o600);
  return ({ timestamp, level, message }) => {
    const structured = message.startsWith('{');
    const at = new Date(timestamp).toISOString();
    const line = structured ? `{"at":"${at}",${message.slice(1)}` : JSON.stringify({ at, level, message });
    // Synchronous: a killed stack keeps what it said.
    writeSync(file, `${line}\n`);
    if (!structured && (level === 'error' || level === 'warn')) console.error(`worker: ${message}`);
  };
}
