/**
 * Packs the tables edited by hand for the Worker: `node scripts/lists/own-tables.ts` writes the files in `build`; with `--check`
 * it writes nothing and fails when those there differ. Packed, so that the code loaded at every start holds neither the rows
 * nor their reasons.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Esp, MxProvider } from '../../src/contract/vocabulary.ts';
import { GATEWAY, NONE, OWN, openPatterns, PATTERNS_FORM } from '../../src/domain/mailbox-provider/classify.ts';
import { NATIVE_NAMES_FORM, NICKNAMES_FORM } from '../../src/domain/screening/names/tables.ts';
import { commandLine } from '../command-line.ts';
import { NATIVE_NAMES, NICKNAMES } from './tables.ts';

const DOMAIN = join(import.meta.dirname, '../../src/domain');

const MailHostRows = z.array(
  z.strictObject({
    suffix: z.string(),
    family: z.string(),
    label: MxProvider.optional(),
    esp: Esp.optional(),
    gateway: z.literal(true).optional(),
    own: z.literal(true).optional(),
    reason: z.string(),
  }),
);

const file = (form: string, rows: readonly string[]): string => [form, ...rows].join('\n');

/** Rows that say the same are one line. Refuses a value that the contract does not have, and a row that does not read back. */
function mailHostPatterns(): string {
  const source = readFileSync(join(DOMAIN, 'mailbox-provider/patterns.json'), 'utf8');
  const rows = MailHostRows.parse(JSON.parse(source));
  const suffixes = new Map<string, string[]>();
  for (const { suffix, family, label, esp, gateway, own } of rows) {
    const said = [family, label ?? NONE, esp ?? NONE, gateway === true ? GATEWAY : own === true ? OWN : NONE].join(' ');
    suffixes.set(said, [...(suffixes.get(said) ?? []), suffix]);
  }
  const text = file(
    PATTERNS_FORM,
    [...suffixes].map(([said, below]) => [said, ...below].join(' ')),
  );
  const patternOf = openPatterns(Buffer.from(text));
  for (const { suffix, family, label = null, esp = null, gateway = false, own = false } of rows) {
    const read = patternOf(suffix);
    if (
      read?.family !== family ||
      read.label !== label ||
      read.esp !== esp ||
      read.gateway !== gateway ||
      read.own !== own
    )
      throw new Error(`${suffix} does not read back from the packed patterns`);
  }
  return text;
}

function build(check: boolean): void {
  const written = {
    'mailbox-provider/data/patterns.bin': mailHostPatterns(),
    'screening/names/data/nicknames.bin': file(
      NICKNAMES_FORM,
      NICKNAMES.flatMap(({ lines }) => lines),
    ),
    'screening/names/data/native-names.bin': file(
      NATIVE_NAMES_FORM,
      NATIVE_NAMES.flatMap(({ lines }) => lines),
    ),
  };
  for (const [name, text] of Object.entries(written)) {
    const at = join(DOMAIN, name);
    if (!check) writeFileSync(at, text);
    else if (readFileSync(at, 'utf8') !== text) throw new Error(`${name} is out of date: run npm run tables:build`);
  }
}

const { check } = commandLine('tables:build', 'Packs the tables kept by hand.')
  .option('--check', 'write nothing; fail where the committed files are others', false)
  .parse()
  .opts<{ check: boolean }>();
build(check);
