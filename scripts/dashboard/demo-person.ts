import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { StackInfo } from '../stack/state.ts';

const LINK_MS = 30_000;

export interface DemoPerson {
  readonly context: BrowserContext;
  /** Signed in. */
  readonly page: Page;
  /** The organisation's address in the dashboard. */
  readonly url: string;
}

interface DemoOptions {
  /** State of the running stack. */
  readonly state: string;
  /** Whose screens; undefined: the demo's. */
  readonly organisation?: string | undefined;
}

/** Signs in at the running local stack that the demo filled. What is missing ends the program in one line. */
export async function signInDemo(
  program: Command,
  browser: Browser,
  { state, organisation }: DemoOptions,
): Promise<DemoPerson> {
  const readStack = (): StackInfo => {
    try {
      return JSON.parse(readFileSync(join(state, 'stack.json'), 'utf8')) as StackInfo;
    } catch {
      return program.error(`error: no stack runs with its state in ${state}: start one with \`npm start\``);
    }
  };
  /** Asks the dashboard for a link as a person does; the stack writes it down. */
  const askLink = async ({ dashboard_url: url, sign_in_url: before }: StackInfo): Promise<string> => {
    const answer = await fetch(`${url}/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email: 'you@example.com' }),
    });
    if (!answer.ok) program.error(`error: the dashboard answers ${answer.status} ${await answer.text()}`);
    for (const until = Date.now() + LINK_MS; Date.now() < until;) {
      const { sign_in_url: link } = readStack();
      if (link !== before) return link;
      await sleep(200);
    }
    return program.error('error: the stack shows no sign-in link');
  };

  const stack = readStack();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  // A draft asks before it is lost.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(await askLink(stack));
  await page.getByRole('button', { name: /^Sign in as/ }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  const me = await context.request.get(`${stack.dashboard_url}/auth/me`);
  const { organisations } = (await me.json()) as { organisations: { id: string; name: string }[] };
  const isMeant = ({ id, name }: { id: string; name: string }) =>
    organisation === undefined ? name.endsWith('(demo)') : id === organisation;
  const filled =
    organisations.find(isMeant) ??
    program.error('error: the person is in no such organisation: `npm run demo` makes one');
  return { context, page, url: `${stack.dashboard_url}/${filled.id}` };
}
