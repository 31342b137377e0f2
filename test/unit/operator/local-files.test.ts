import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../scripts/operator/api.ts';
import { checkOutput, replaceFile, sizeToSend } from '../../../scripts/operator/local-files.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-files-'));
  writeFileSync(at('in.csv'), 'email\n');
  writeFileSync(at('old.csv'), 'old');
  mkdirSync(at('folder'));
  linkSync(at('in.csv'), at('hard.csv'));
  symlinkSync('in.csv', at('soft.csv'));
  symlinkSync('.', at('here'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** File permissions don't stop a superuser. */
const isSuperuser = process.getuid?.() === 0;

describe('a file to send', () => {
  it('has its length', () => expect(sizeToSend(at('in.csv'), 6)).toBe(6));

  it.each([
    ['a directory', 'folder', 6, 'folder is a directory.'],
    ['a file that is not there', 'none.csv', 6, "none.csv can't be read (ENOENT)."],
    ['a file below a file', 'in.csv/none.csv', 6, "in.csv/none.csv can't be read (ENOTDIR)."],
    ['one over the limit', 'in.csv', 5, /^\S+in\.csv is larger than .* MB\.$/],
  ])('is not %s', (_, name, maxBytes, says) => {
    expect(() => sizeToSend(at(name), maxBytes)).toThrow(says);
    expect(() => sizeToSend(at(name), maxBytes)).toThrow(OperatorError);
  });

  it('is not a device', () => expect(() => sizeToSend('/dev/null', 6)).toThrow('/dev/null is not a regular file.'));

  it.skipIf(isSuperuser)('is one that may be read', () => {
    chmodSync(at('in.csv'), 0o200);
    expect(() => sizeToSend(at('in.csv'), 6)).toThrow("in.csv can't be read (EACCES).");
  });
});

describe('a place for results', () => {
  it.each(['new.csv', 'old.csv', 'folder/new.csv'])('may be %s', (name) => {
    checkOutput(at(name), at('in.csv'));
    expect(readFileSync(at('old.csv'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).not.toContain('new.csv');
  });

  it.each(['in.csv', 'hard.csv', 'soft.csv', 'here/in.csv', 'folder/../in.csv'])(
    'is not the file to verify, by the name %s',
    (name) => expect(() => checkOutput(at(name), at('in.csv'))).toThrow('is the very file to verify'),
  );

  it.each([
    ['a directory', 'folder', 'folder is a directory.'],
    ['in a folder that is not there', 'none/new.csv', "new.csv can't be written (ENOENT)."],
    ['below a file', 'in.csv/new.csv', "new.csv can't be written (ENOTDIR)."],
  ])('is not %s', (_, name, says) => {
    expect(() => checkOutput(at(name), at('in.csv'))).toThrow(says);
    expect(() => checkOutput(at(name))).toThrow(OperatorError);
  });

  it.skipIf(isSuperuser).each(['folder/old.csv', 'folder'])('is none where %s is protected', (name) => {
    writeFileSync(at('folder/old.csv'), 'old');
    chmodSync(at(name), 0o500);
    expect(() => checkOutput(at('folder/old.csv'))).toThrow("old.csv can't be written (EACCES).");
    chmodSync(at(name), 0o700);
  });
});

describe('results written', () => {
  async function* brokenOff() {
    yield 'half';
    throw new TypeError('terminated');
  }

  it.each(['new.csv', 'old.csv'])('are %s as a whole, with nothing beside it', async (name) => {
    const names = new Set([...readdirSync(folder), name]);
    await replaceFile(at(name), Readable.from(['a\n', 'b\n']));
    expect(readFileSync(at(name), 'utf8')).toBe('a\nb\n');
    expect(new Set(readdirSync(folder))).toEqual(names);
  });

  it('keep the protection of the file they replace', async () => {
    chmodSync(at('old.csv'), 0o640);
    await replaceFile(at('old.csv'), Readable.from(['new']));
    expect(statSync(at('old.csv')).mode & 0o777).toBe(0o640);
  });

  it('go where a link leads', async () => {
    symlinkSync('../old.csv', at('folder/link.csv'));
    await replaceFile(at('folder/link.csv'), Readable.from(['new']));
    expect(readFileSync(at('old.csv'), 'utf8')).toBe('new');
    expect(readdirSync(at('folder'))).toEqual(['link.csv']);
  });

  it.each(['new.csv', 'old.csv'])('leave nothing half after breaking off, and %s as it was', async (name) => {
    const names = readdirSync(folder);
    await expect(replaceFile(at(name), Readable.from(brokenOff()))).rejects.toThrow(
      `${name} was not written (the results broke off).`,
    );
    expect(readdirSync(folder)).toEqual(names);
    expect(readFileSync(at('old.csv'), 'utf8')).toBe('old');
  });

  it('say what kept them from being written', async () => {
    await expect(replaceFile(at('none/new.csv'), Readable.from(['a']))).rejects.toThrow(
      'new.csv was not written (ENOENT).',
    );
  });
});
