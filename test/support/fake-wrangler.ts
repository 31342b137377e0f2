#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { type Account, answer, answerOfDashboard } from './fake-account.ts';

/** The program `wrangler` (or `npm`) on a test's path; its account is the file that `FAKE_ACCOUNT` names. */
// Secrets must not reach the program's environment.
for (const name of ['DATABASE_URL', 'SERVICE_SECRET', 'HASH_SECRET', 'AUTH_SECRET', 'EMAIL_VERIFICATION_API_KEY'])
  if (process.env[name]) throw new Error(`${name} is in the environment`);
const file = process.env.FAKE_ACCOUNT ?? '';
const account = JSON.parse(readFileSync(file, 'utf8')) as Account;
const args = process.argv.slice(2);
const environment = args.find((word) => word.startsWith('--env='))?.slice('--env='.length) ?? '';
const words = args.filter(
  (word, at) => word !== '--config' && args[at - 1] !== '--config' && !word.startsWith('--env='),
);
const isDashboard = args[args.indexOf('--config') + 1]?.includes('dashboard/') === true;
const reply = isDashboard ? answerOfDashboard : answer;
const [ok, text] = reply(account, words, args[1] === 'put' ? readFileSync(0, 'utf8') : '');
if (environment !== '') account.calls.push(`${environment}: ${account.calls.pop()}`);
writeFileSync(file, JSON.stringify(account));
const output = process.env.WRANGLER_OUTPUT_FILE_PATH;
if (ok && output !== undefined)
  writeFileSync(output, `${JSON.stringify({ type: 'deploy', targets: [account.url, 'schedule: */5 * * * *'] })}\n`);
(ok ? process.stdout : process.stderr).write(`${text}\n`);
process.exitCode = ok ? 0 : 1;
