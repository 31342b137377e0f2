import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readNames } from '../../scripts/deployment/names.ts';
import { resourcesOf } from '../../scripts/deployment/resources.ts';
import { LIST_SECRETS, SECRETS } from '../../scripts/deployment/secrets.ts';
import { callWrangler } from '../../scripts/deployment/wrangler.ts';

const TARGET = { configFile: join(import.meta.dirname, '../../wrangler.toml'), environment: 'staging' };

/** Every call that provisioning and deploying make. */
const CALLS = [
  ...resourcesOf(readNames(TARGET)).flatMap(({ find, create }) => [find.args, create.args]),
  LIST_SECRETS.args,
  ['secret', 'put', SECRETS[0].name],
  ['deploy', '--var', 'SERVICE_VERSION:1'],
];

/** One of each: that of one queue is as good as of another. */
const KINDS = [
  ...new Map(CALLS.map((args) => [args.filter((word) => !word.includes('email-')).join(' '), args])).values(),
];

it.each(KINDS.map((args) => [args.join(' '), args] as const))(
  'wrangler knows `%s` as it is called',
  async (_, args) => {
    const { stdout: help } = await callWrangler(TARGET)({ args: [...args, '--help'] });
    const [, usage = ''] = /^wrangler (.*)$/m.exec(help) ?? [];
    const command = usage.split(' ').filter((word) => /^\w/.test(word));
    const places = usage.split(' ').length - command.length;
    expect(args.slice(0, command.length)).toEqual(command);

    const rest = args.slice(command.length);
    const flags = rest.filter((word) => word.startsWith('--'));
    for (const flag of flags) expect(help).toMatch(new RegExp(`^ .*${flag}\\b`, 'm'));
    const taken = rest.findIndex((word) => word.startsWith('--'));
    expect(taken === -1 ? rest.length : taken).toBeLessThanOrEqual(places);
  },
);
