import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type Collector, startCollector } from '../support/otlp-collector.ts';
import { runPage } from '../support/snippets.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Pages that show what to type. */
const PAGES = globSync('docs/{index,start/*,guides/*,explanation/*}.md', { cwd: ROOT }).sort();

describe('a reader who types what a page says sees what it shows', () => {
  let stack: TestStack;
  let collector: Collector;
  beforeAll(async () => {
    [stack, collector] = await Promise.all([startTestStack(), startCollector()]);
  });
  afterAll(() => Promise.all([stack.remove(), collector.close()]));

  it.each(PAGES)('%s', async (page) => {
    const { keys, base_url } = stack;
    const env = {
      BASE_URL: base_url,
      KEY: keys.test,
      MEMBER: keys.member,
      ADMIN: keys.admin,
      OPERATOR: keys.operator,
      FREE_PORT: String(await freePort()),
      PROJECT: ROOT,
      COLLECTOR: collector.baseUrl,
    };
    const { code, errors, differs } = await runPage(join(ROOT, page), env);
    expect({ code, errors, differs }).toEqual({ code: 0, errors: '', differs: [] });
  });
});
