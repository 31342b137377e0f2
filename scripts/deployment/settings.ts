import { readConfig } from '../../src/runtime/config.ts';
import type { SettingFault } from '../../src/runtime/settings.ts';
import { DeploymentError } from './deployment-error.ts';

export const sentence = ({ setting, problem, off }: SettingFault): string => `${setting} ${problem}: ${off}`;

/** What a Worker with these variables and secrets lacks. A secret's value is never shown, so it counts as valid. */
export function faultsOf(bindings: Readonly<Record<string, unknown>>, secrets: readonly string[]): SettingFault[] {
  const hidden = Object.fromEntries(secrets.map((name) => [name, 'hidden']));
  const { faults } = readConfig({ ...bindings, ...hidden });
  return faults.filter(({ setting }) => !secrets.includes(setting));
}

/** The faults that the service can work with. Throws for one that it can't. */
export function requireSettings(
  bindings: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): SettingFault[] {
  const faults = faultsOf(bindings, secrets);
  const fatal = faults.filter(({ required }) => required);
  if (fatal.length > 0) {
    const lines = fatal.map(sentence).join('\n');
    throw new DeploymentError(
      `${lines}\nSet it with \`npx wrangler secret put\`, or run \`npm run provision -- --apply\`.`,
    );
  }
  return faults;
}
