import { parseArgs } from 'node:util';
import { StackError } from './stack-error.ts';

export const USAGE = `npm start [-- options]

  --port N           where the service listens (8787)
  --state DIR        where everything is kept (.local)
  --fresh            begin with an empty state
  --no-cron          do not fire the crons of wrangler.toml
  --db-delay-ms N    how far away the database is
  --db-down          the database refuses every request once the stack is ready
  --help

Every setting of the service is read from the environment (README, "Configuration").`;

export interface StackOptions {
  readonly port: number;
  readonly stateDir: string;
  readonly fresh: boolean;
  readonly cron: boolean;
  readonly dbDelayMs: number;
  readonly dbDown: boolean;
  readonly help: boolean;
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) throw new StackError(`--${name} takes a whole number from 0 to ${most}.`);
  return value;
}

export function parseOptions(args: readonly string[]): StackOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        port: { type: 'string', default: '8787' },
        state: { type: 'string', default: '.local' },
        fresh: { type: 'boolean', default: false },
        cron: { type: 'boolean', default: true },
        'db-delay-ms': { type: 'string', default: '0' },
        'db-down': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return {
      port: wholeNumber('port', values.port, 65_535),
      stateDir: values.state,
      fresh: values.fresh,
      cron: values.cron,
      dbDelayMs: wholeNumber('db-delay-ms', values['db-delay-ms'], 60_000),
      dbDown: values['db-down'],
      help: values.help,
    };
  } catch (error) {
    if (error instanceof StackError) throw error;
    throw new StackError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
