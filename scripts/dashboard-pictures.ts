import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './command-line.ts';
import { openChromium } from './dashboard/chromium.ts';
import { signInDemo } from './dashboard/demo-person.ts';
import { goTo, PLACES } from './dashboard/places.ts';

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
const { out, only, ...whose } = program.opts<{
  out: string;
  state: string;
  organisation?: string;
  only?: string[];
}>();

const WIDTHS = [
  { name: 'phone', width: 360, height: 740 },
  { name: 'tablet', width: 768, height: 1_024 },
  { name: 'desktop', width: 1_600, height: 1_000 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

const places = PLACES.filter(({ name }) => only === undefined || only.includes(name));
mkdirSync(out, { recursive: true });
const browser = await openChromium();
try {
  const { page, url } = await signInDemo(program, browser, whose);
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
