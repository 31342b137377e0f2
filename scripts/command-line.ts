import { Command, InvalidArgumentError } from 'commander';

/** Exit code for a wrong command line; 1 is for work that failed. */
const WRONG_USE = 2;

/** A script's command line: `--help` explains it, and an unknown option ends it with one line. */
export const commandLine = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .allowExcessArguments(false)
    .configureOutput({
      // "(Did you mean …?)" would be a line of its own.
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE));

/** Reads an option's value as a whole number within these bounds. */
export const wholeNumber =
  (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= least && value <= most) return value;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new InvalidArgumentError(`It takes a whole number, ${bounds}.`);
  };

/** Reads an option's value as a number of 0 or more. */
export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity))
    throw new InvalidArgumentError('It takes a number, 0 or more.');
  return value;
}
