import { type Config, readConfig } from '../../src/runtime/config.ts';
import { SETTINGS } from '../../src/runtime/settings.ts';
import { sentence } from '../deployment/settings.ts';
import { StackError } from './stack-error.ts';

/** The stack sets both, to its own endpoint. */
const OWN = ['DATABASE_URL', 'DATABASE_HTTP_URL'];

const NAMES = Object.keys(SETTINGS).filter((name) => !OWN.includes(name));

/** What is set and not used. */
export const unusedSettings = ({ DATABASE_HTTP_URL: url }: NodeJS.Dict<string>): string[] =>
  url ? ['DATABASE_HTTP_URL is not used: the stack sets it to its own endpoint'] : [];

/** The settings this environment names; an empty one counts as not set. */
export const settingsFrom = (environment: NodeJS.Dict<string>): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );

const ANY_SECRET = Buffer.alloc(32).toString('base64');

/** Values that the stack makes itself, and a binding that wrangler.toml may have. */
const MADE_BY_STACK = {
  SERVICE_SECRET: ANY_SECRET,
  HASH_SECRET: ANY_SECRET,
  DATABASE_URL: 'postgresql://local@local.invalid/postgres',
  LOCAL_STACK: '1',
  AI: {},
};

/** The service's configuration in this environment. A StackError names each fault that it could not work with. */
export function checkSettings(environment: NodeJS.Dict<string>): Config {
  const { DATABASE_URL: url } = environment;
  const config = readConfig({ ...MADE_BY_STACK, ...settingsFrom(environment), ...(url ? { DATABASE_URL: url } : {}) });
  const fatal = config.faults.filter(({ required }) => required);
  if (fatal.length > 0) throw new StackError(fatal.map(sentence).join('\n'));
  return config;
}
