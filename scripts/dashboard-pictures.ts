import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from './command-line.ts';
import { openChromium } from './dashboard/chromium.ts';
import { goTo, PLACES } from './dashboard/places.ts';
import type { StackInfo } from './stack/state.ts';

/** `npm run dashboard:pictures`: what each screen looks like, to be looked at. */
const program = commandLine(
  'dashboard:pictures',
  'Pictures of each screen of the running local stack that the demo filled.',
)
  .requiredOption('--out <dir>', 'where the pictures go')
  .option('--state <dir>', 'state of the running stack', '.local')
  .option('--organisation <id>', 'whose screens (default: the demo’s)')
  .option('--only <names...>', 'these places alone')
  .parse();
const { out, state, organisation, only } = program.opts<{
  out: string;
  state: string;
  organisation?: string;
  only?: string[];
}>();

const WIDTHS = [
  { name: 'phone', width: 360, height: 740 },
  { name: 'tablet', width: 768, height: 1_024 },
  { name: 'desktop', width: 1_440, height: 900 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
const LINK_MS = 30_000;

function readStack(): StackInfo {
  try {
    return JSON.parse(readFileSync(join(state, 'stack.json'), 'utf8')) as StackInfo;
  } catch {
    return program.error(`error: no stack runs with its state in ${state}: start one with \`npm start\``);
  }
}

/** Asks the dashboard for a link as a person does; the stack writes it down. */
async function askLink({ dashboard_url: url, sign_in_url: before }: StackInfo): Promise<string> {
  const answer = await fetch(`${url}/auth/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'you@example.com' }),
  });
  if (!answer.ok) program.error(`error: the dashboard answers ${answer.status} ${await answer.text()}`);
  for (const until = Date.now() + LINK_MS; Date.now() < until; ) {
    const { sign_in_url: link } = readStack();
    if (link !== before) return link;
    await sleep(200);
  }
  return program.error('error: the stack shows no sign-in link');
}

const stack = readStack();
const places = PLACES.filter(({ name }) => only === undefined || only.includes(name));
mkdirSync(out, { recursive: true });
const browser = await openChromium();
try {
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
  const url = `${stack.dashboard_url}/${filled.id}`;
  for (const place of places) {
    for (const { name, width, height } of WIDTHS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: 'light' });
      await goTo(page, url, place);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
        await page.screenshot({ path: join(out, `${place.name}-${name}-${colorScheme}.png`), fullPage: true });
      }
    }
    console.log(`  ${place.name}`);
  }
} finally {
  await browser.close();
}
console.log(`${places.length * WIDTHS.length * SCHEMES.length} pictures in ${out}`);
