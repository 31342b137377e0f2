import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { type DefaultTheme, defineConfig, type MarkdownEnv, type MarkdownRenderer, type SiteConfig } from 'vitepress';
import { CALLS } from './api/document.ts';
import { API_SIDEBAR, writeApiPages } from './api/pages.ts';
import { SIDEBAR } from './sidebar.ts';

/**
 * The documentation at `/docs`, built by `scripts/docs/site.ts`. Its content security policy allows files of this service alone: no inline
 * script and no inline style. So both are taken out of the pages and put into files.
 */
const BASE = '/docs/';
const DESCRIPTION = 'How likely a message to an address is to bounce, and what to do about it.';
const CODE_STYLE = 'code-colours.css';

/** Colours of code are classes. */
const colours = transformerStyleToClass({ classPrefix: 'code-' });
/** Scripts that VitePress writes into pages, by the name of the file that has each. */
const scripts = new Map<string, string>();

function withoutInline(html: string): string {
  return html
    .replaceAll(/<script(?: id="[^"]*")?>(.+?)<\/script>/gs, (_, code: string) => {
      const name = `assets/inline-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
      scripts.set(name, code);
      return `<script src="${BASE}${name}"></script>`;
    })
    .replaceAll(/(<[a-z][^>]*?) style="[^"]*"/g, '$1');
}

/** For agents: what pages there are, with the address of each as Markdown (https://llmstxt.org). */
function writeForAgents({ outDir, pages, srcDir }: SiteConfig): void {
  const titles = new Map(pages.map((page) => [page, /^# (.+)$/m.exec(wholeOf(join(srcDir, page)))?.[1] ?? page]));
  for (const page of pages) {
    writeFileSync(join(outDir, page), withoutForm(wholeOf(join(srcDir, page))));
  }
  const linksOf = ({ link, items = [] }: DefaultTheme.SidebarItem): string[] => [
    ...(link === undefined ? [] : [link]),
    ...items.flatMap(linksOf),
  ];
  const groups = SIDEBAR.map((group) => {
    const lines = linksOf(group).flatMap((link) => {
      const page = `${link.replace(/^\//, '').replace(/(^|\/)$/, '$1index')}.md`;
      return titles.has(page) ? [`- [${titles.get(page)}](${BASE}${page})`] : [];
    });
    return `## ${group.text}\n\n${lines.join('\n')}`;
  });
  const calls = CALLS.map(
    ({ summary, page, method, path }) => `- [${summary}](${BASE}api/${page}.md): ${method.toUpperCase()} ${path}`,
  );
  const api = ['- [OpenAPI document](/openapi.json): every call, field and error', ...calls].join('\n');
  writeFileSync(
    join(outDir, 'llms.txt'),
    `# Email verification\n\n> ${DESCRIPTION}\n\n${groups.join('\n\n')}\n\n## The API as data\n\n${api}\n`,
  );
}

/** Names of parts as GitHub makes them: the same links lead there in the repository. */
const slugify = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Without what only a browser can use. */
const withoutForm = (page: string): string =>
  page
    .replace(/^---\n.*?\n---\n+/s, '')
    .replace('<TryIt />\n\n', '')
    .replaceAll(/^<\/?div.*>\n\n?/gm, '');

/** A page with the files that it includes. */
const wholeOf = (file: string): string =>
  readFileSync(file, 'utf8').replaceAll(/<!--@include: ([^#]+?)(?:#(\w+))?-->/g, (_, path: string, region?: string) => {
    const whole = readFileSync(join(dirname(file), path), 'utf8');
    return region === undefined
      ? whole
      : (whole.split(new RegExp(`<!-- #(?:end)?region ${region} -->`))[1] ?? '').trim();
  });

/** Pages that answer no reader's question about the product stay out of the search. */
const UNSEARCHED = /^(?:decisions\/|costs|proof|peers)/;

function searchedText(source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string {
  const html = markdown.render(source, env);
  return UNSEARCHED.test(env.relativePath) ? '' : html;
}

/** Guides first, calls of the API last: VitePress takes no function for that where scripts can't be evaluated. */
const RANKING =
  'boostDocument: (id) => (/\\/docs\\/(?:start|guides|mail-services)\\//.test(id) ? 4 : /\\/docs\\/api\\//.test(id) ? 1 : 2),';
const SEARCH_OPTIONS = 'searchOptions: {';

// Before VitePress looks for pages.
writeApiPages(join(import.meta.dirname, '..'));

export default defineConfig({
  base: BASE,
  title: 'Email verification',
  description: DESCRIPTION,
  lang: 'en',
  cleanUrls: true,
  // Switching lights would put a style element into the page, which the policy refuses.
  appearance: { disableTransition: false },
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: `${BASE}icon.svg`, type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: `${BASE}${CODE_STYLE}` }],
  ],
  ignoreDeadLinks: [/^\/openapi/, /^http:\/\/localhost/],
  markdown: { codeTransformers: [colours], anchor: { slugify } },
  themeConfig: {
    search: { provider: 'local', options: { _render: searchedText } },
    outline: [2, 3],
    sidebar: { '/': SIDEBAR, '/api/': API_SIDEBAR },
    nav: [
      { text: 'Get started', link: '/start/signup-form' },
      { text: 'Guides', link: '/guides/protect-a-signup' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    docFooter: { prev: 'Before', next: 'Next' },
  },
  transformHtml: withoutInline,
  buildEnd(site) {
    writeFileSync(join(site.outDir, CODE_STYLE), colours.getCSS());
    for (const [name, code] of scripts) writeFileSync(join(site.outDir, name), code);
    writeForAgents(site);
  },
  vite: {
    plugins: [
      {
        name: 'search-ranking',
        enforce: 'pre',
        transform(code, id) {
          if (!id.endsWith('VPLocalSearchBox.vue')) return null;
          if (!code.includes(SEARCH_OPTIONS)) throw new Error('the search box of VitePress has changed');
          return code.replace(SEARCH_OPTIONS, `${SEARCH_OPTIONS} ${RANKING}`);
        },
      },
      {
        // Whose code the pages have, for `npm run notices:build`.
        name: 'packages',
        generateBundle(_options, bundle) {
          const files = Object.values(bundle).flatMap((each) =>
            each.type === 'chunk'
              ? Object.entries(each.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
              : [],
          );
          const ofPackages = files.map((file) => file.slice(file.indexOf('node_modules/')).split('?', 1)[0] ?? '');
          const names = [...new Set(ofPackages.filter((file) => file.startsWith('node_modules/')))].sort();
          this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(names) });
        },
      },
    ],
    build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 },
  },
});
