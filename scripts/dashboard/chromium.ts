import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome'];
const path = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((place) => existsSync(place));

/** Debian's Chromium without a window, which finds no machine but this one. */
export async function openChromium(): Promise<Browser> {
  if (path === undefined) throw new Error(`no Chromium at ${PLACES.join(' or ')}: install it, or set CHROMIUM_PATH`);
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  });
}
