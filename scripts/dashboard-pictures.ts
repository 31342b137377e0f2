import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './command-line.ts';
import { openChromium } from './dashboard/chromium.ts';
import { signInDemo } from './dashboard/demo-person.ts';
import { goTo, PLACES } from './dashboard/places.ts';

/** `npm run dashboard:pictures`: pictures of each screen. */
const program = commandLine(
  'dashboard:pictures',
  'Pictures of each screen of the running local stack that the demo filled.',
)
  .requiredOption('--out <dir>', 'where the pictures go')
  .option('--state <dir>', 'state of the running stack', '.local')
  .option('--organisation <id>', 'whose screens (default: the demo’s)')
  .option('--only <names...>', 'these places alone')
  .option('--width <px...>', 'these widths alone')
  .parse();
const { out, only, width, ...whose } = program.opts<{
  out: string;
  state: string;
  organisation?: string;
  only?: string[];
  width?: string[];
}>();

/** The narrowest and the widest window, and one below and at each width where the layout changes. */
const WIDTHS = width?.map(Number) ?? [360, 768, 992, 1_216, 1_400, 1_600];
/** From here on a window is wider than high. */
const WIDE = 992;
/** A long table draws only what is near the window: beyond this height, pixels, a picture shows the window alone. */
const WHOLE_MOST = 4_000;
const SCHEMES = ['light', 'dark'] as const;

const places = PLACES.filter(({ name }) => only === undefined || only.includes(name));
mkdirSync(out, { recursive: true });
const browser = await openChromium();
try {
  const { page, url } = await signInDemo(program, browser, whose);
  for (const place of places) {
    for (const wide of WIDTHS) {
      await page.setViewportSize({ width: wide, height: wide < WIDE ? wide + 380 : 1_000 });
      await page.emulateMedia({ colorScheme: 'light' });
      await goTo(page, url, place);
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
        const path = join(out, `${place.name}-${wide}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: height <= WHOLE_MOST });
      }
    }
    console.log(`  ${place.name}`);
  }
} finally {
  await browser.close();
}
console.log(`${places.length * WIDTHS.length * SCHEMES.length} pictures in ${out}`);
