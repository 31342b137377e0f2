import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const { postinstall: _, ...callable } = scripts;

/** The scripts of package.json that a person calls: [name, command]. */
export const NPM_SCRIPTS = Object.entries(callable);

/** A command is one program, which is given what stands behind `--`: a file of ours (the first group) after the look … */
export const OURS = /^(?:exec )?node --import \.\/scripts\/preflight\.mjs ([\w/-]+\.ts)(?: --watch)?$/;
/** … or a tool, which explains itself in its own words. */
export const TOOL = /^(?:node scripts\/preflight\.mjs && )?(?:vitest|wrangler|drizzle-kit|oxfmt|npm sbom) [^&]+$/;
