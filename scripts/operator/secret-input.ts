import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Argument, type Command, Option } from 'commander';
import { OperatorError } from './api.ts';
import { onFile } from './local-files.ts';

/** Rejects a secret as an argument: every process of the machine sees arguments, and the shell stores them. */
export const refusedSecret = (command: Command, flags: string, instead: string): Option =>
  new Option(flags).hideHelp().argParser(() => {
    const [name] = flags.split(' ');
    return command.error(`error: ${name} is refused, since arguments can be read by others: ${instead}.`);
  });

/** A file's content without the final line break; `-` is standard input. */
export function secretFromFile(file: string): string {
  const secret = onFile(file, 'read', () => readFileSync(file === '-' ? 0 : file, 'utf8')).trim();
  if (secret === '') throw new OperatorError(`${file} is empty.`);
  return secret;
}

/** Asks on the terminal; a secret is not shown as it is typed. */
export async function ask(question: string, isSecret: boolean): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isSecret) process.stderr.write(`${question}: `);
  const output = isSecret ? hidden : process.stderr;
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const answer = await terminal.question(isSecret ? '' : `${question}: `);
  terminal.close();
  if (isSecret) process.stderr.write('\n');
  return answer.trim();
}

/** A secret from a file, from the environment, or typed. */
export async function readSecret(file: string | undefined, variable: string, question: string): Promise<string> {
  const secret =
    file === undefined
      ? process.env[variable] || (process.stdin.isTTY ? await ask(question, true) : '')
      : secretFromFile(file);
  if (secret === '')
    throw new OperatorError(`Give the secret by --secret-file FILE (- for standard input) or in ${variable}.`);
  return secret;
}

/** Addresses are as confidential as secrets. */
export const emailFile = (): Option =>
  new Option('--email-file <file>', 'file with the address, - for standard input; asked for without it');

/** Rejects an address as an argument. `isOne`: whether the argument is one. */
export const refusedEmail = (command: Command, name: string, isOne: (text: string) => boolean): Argument =>
  new Argument(name).argParser((text) =>
    isOne(text)
      ? command.error(
          'error: an address is refused, since arguments can be read by others: give it by --email-file FILE.',
        )
      : text,
  );

export async function readEmail(file: string | undefined): Promise<string> {
  if (file !== undefined) return secretFromFile(file);
  const email = process.stdin.isTTY ? await ask('Address', false) : '';
  if (email === '') throw new OperatorError('Give the address by --email-file FILE (- for standard input).');
  return email;
}

/** The options of a command that acts with an organisation's own key. */
export const organisationKeyFile = (): Option =>
  new Option(
    '--api-key-file <file>',
    'file with a key of the organisation (or EMAIL_VERIFICATION_API_KEY); the local stack’s without it',
  );
export const refusedOrganisationKey = (program: Command): Option =>
  refusedSecret(program, '--api-key <key>', 'give it by --api-key-file FILE or in EMAIL_VERIFICATION_API_KEY');
export const organisationKey = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : secretFromFile(file);
