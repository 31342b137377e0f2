import { join } from 'node:path';
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** Every text is looked up by the app's own module, which knows the language before any of them is read. */
const RUNTIME = join(import.meta.dirname, 'app/lib/i18n.ts');

/** Which languages there are, and where the messages of the source go: `npm run dashboard:words`. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: '<rootDir>/app/locales/{locale}', include: ['<rootDir>/app'] }],
  runtimeConfigModule: { i18n: [RUNTIME, 'messages'], Trans: [RUNTIME, 'Trans'] },
  // A line that moves changes no message.
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: { limit: 9 } }),
});
