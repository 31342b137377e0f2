import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOSSARY, POLICY, policyUri, TOOLS } from '../../src/contract/mcp.ts';
import { fetchedProgram } from '../support/fetched-program.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

/** The official inspector, as its command line: it holds a server to the protocol. */
const VERSION = '2.12.0';
const FETCH_LIMIT_MS = 300_000;

let stack: TestStack;
let inspector: string;
/** The inspector keeps settings at home. */
const home = mkdtempSync(join(tmpdir(), 'inspector-'));
beforeAll(async () => {
  inspector = await fetchedProgram('@modelcontextprotocol/inspector', VERSION, 'mcp-inspector');
  stack = await startTestStack();
}, FETCH_LIMIT_MS);
afterAll(async () => {
  await stack.remove();
  rmSync(home, { recursive: true, force: true });
});

interface Inspected {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const inspect = (key: string, ...words: readonly string[]): Promise<Inspected> =>
  new Promise((resolve) => {
    const server = ['--cli', `${stack.base_url}/mcp`, '--transport', 'http', '--stored-auth-only'];
    const header = ['--header', `Authorization: Bearer ${key}`];
    execFile(
      process.execPath,
      [inspector, ...server, ...header, ...words],
      { env: { ...process.env, HOME: home }, maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });

async function answered(...words: readonly string[]) {
  const { code, stdout, stderr } = await inspect(stack.keys.member, ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('the official inspector', () => {
  it('lists every tool with what it does and answers, and finds nothing to say of any schema', async () => {
    const { tools } = await answered('--method', 'tools/list', '--strict');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const tool of tools) {
      expect(tool).toMatchObject({
        annotations: { readOnlyHint: expect.any(Boolean) },
        outputSchema: { type: 'object' },
      });
    }
  });

  it('calls a tool, and has its answer as data', async () => {
    const called = ['--method', 'tools/call', '--tool-name', 'verify_email', '--tool-arg', 'email=ada@business.test'];
    expect(await answered(...called)).toMatchObject({
      isError: false,
      structuredContent: { email: 'ada@business.test', bounce_probability: expect.any(Number) },
    });
  });

  it('finds the glossary and the policy, and reads them', async () => {
    const { resources } = await answered('--method', 'resources/list');
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([GLOSSARY.uri, policyUri('default')]);
    expect(await answered('--method', 'resources/templates/list')).toEqual({ resourceTemplates: [POLICY] });
    const glossary = await answered('--method', 'resources/read', '--uri', GLOSSARY.uri);
    expect(glossary.contents[0].text).toContain('# Glossary');
    const policy = await answered('--method', 'resources/read', '--uri', policyUri('default'));
    expect(JSON.parse(policy.contents[0].text)).toMatchObject({ policy: { slug: 'default' } });
  });

  it('says of a wrong key that it is wrong, and what to do', async () => {
    const { code, stdout, stderr } = await inspect('wrong', '--method', 'tools/list');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('The API key is wrong or has been revoked: ask an admin of your account for another.');
  });
});
