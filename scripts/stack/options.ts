import { commandLine, wholeNumber } from '../command-line.ts';

export interface StackOptions {
  readonly port: number;
  readonly dashboardPort?: number;
  readonly state: string;
  readonly fresh: boolean;
  readonly vendors: boolean;
  readonly cron: boolean;
  readonly dbDelayMs: number;
  readonly dbDown: boolean;
  readonly shortLived: boolean;
  readonly watch: boolean;
  readonly inspectorPort?: number;
}

export const parseOptions = (): StackOptions =>
  commandLine('npm start --', 'The whole service on this machine.')
    .option('--port <n>', 'where the service listens', wholeNumber(1, 65_535), 8787)
    .option('--dashboard-port <n>', 'where the dashboard listens (default: the next port)', wholeNumber(1, 65_535))
    .option('--state <dir>', 'where everything is kept', '.local')
    .option('--fresh', 'begin with an empty state', false)
    .option('--vendors', 'two vendors with made-up answers verify mailboxes', false)
    .option('--no-cron', 'do not fire the crons of wrangler.toml')
    .option('--db-delay-ms <n>', 'how far away the database is', wholeNumber(0, 60_000), 0)
    .option('--db-down', 'the database refuses every request once the stack is ready', false)
    .option('--short-lived', 'the database starts with a third of the CPU and is half as fast under load', false)
    .option('--watch', 'restart the Worker when its source changes (npm run dev)', false)
    .option('--inspector-port <n>', 'where the runtime’s inspector listens (default: nowhere)', wholeNumber(1, 65_535))
    .addHelpText('after', '\nEvery setting of the service is read from the environment (docs/configuration.md).')
    .parse()
    .opts<StackOptions>();
