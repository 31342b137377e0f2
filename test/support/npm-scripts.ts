import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const { postinstall: _, ...callable } = scripts;

/** The scripts of package.json that a person calls: [name, command]. */
export const NPM_SCRIPTS = Object.entries(callable);

/** A command of ours: the preflight, then one script (the first group), which gets the arguments after `--`. */
export const OURS = /^(?:exec )?node --import \.\/scripts\/preflight\.mjs ([\w/-]+\.ts)(?: --watch)?$/;
/** A command that runs a third-party tool with its own `--help`. */
export const TOOL = /^(?:node scripts\/preflight\.mjs && )?(?:vitest|wrangler|drizzle-kit|oxfmt|npm sbom) [^&]+$/;
