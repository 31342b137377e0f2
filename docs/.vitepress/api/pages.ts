import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { type Answer, CALLS, type Call, DOCUMENT, type Parameter, resolved } from './document.ts';
import { fieldsOf, parametersOf, prose } from './fields.ts';

/**
 * The reference of the API, written from the OpenAPI document: a page of Markdown for each operation, so that the site's search finds
 * it, and one that begins with what holds for all.
 */
const FOLDER = 'api';

const LANGUAGES: Readonly<Record<string, string>> = { Shell: 'sh', JavaScript: 'js', Python: 'python' };
const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

const fence = (language: string, text: string, label = ''): string =>
  `\`\`\`${language}${label === '' ? '' : ` [${label}]`}\n${text}\n\`\`\``;

const exampleOf = (type: string, example: unknown): string =>
  typeof example === 'string'
    ? fence(type === 'text/csv' ? 'csv' : 'txt', example.trim())
    : fence('json', JSON.stringify(example, null, 2));

const parametersIn = ({ parameters = [] }: Call): Parameter[] => parameters.map((each) => resolved(each));

const mediaOf = (content: Answer['content'] = {}) => Object.entries(content)[0];

function samplesOf({ 'x-codeSamples': samples = [] }: Call): string[] {
  if (samples.length === 0) return [];
  const blocks = samples.map(({ lang, label, source }) => fence(LANGUAGES[lang] ?? 'txt', source, label));
  return [`::: code-group\n\n${blocks.join('\n\n')}\n\n:::`];
}

function requestOf(call: Call): string[] {
  const parameters = parametersIn(call);
  const [type, media] = mediaOf(call.requestBody?.content) ?? [];
  const parts = PLACES.flatMap(([place, title]) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    return here.length === 0 ? [] : [`### ${title}`, parametersOf(here)];
  });
  const body =
    type === undefined || media === undefined
      ? []
      : [
          '### Body',
          [`\`${type}\``, prose(call.requestBody?.description ?? '')].join(' ').trim(),
          fieldsOf(media.schema, 'request'),
        ];
  return parts.length + body.length === 0 ? [] : ['## Request', ...parts, ...body];
}

const answersTo = ({ responses }: Call) =>
  Object.entries(responses).map(([status, answer]) => ({ status, ...resolved(answer) }));
const isGood = ({ status }: { readonly status: string }): boolean => status.startsWith('2');

function responseOf(call: Call): string[] {
  return [
    '## Response',
    ...answersTo(call)
      .filter(isGood)
      .flatMap(({ status, description, headers = {}, content }) => {
        const [type, media] = mediaOf(content) ?? [];
        return [
          `\`${status}\` ${prose(description)}`,
          ...(media === undefined || type === undefined ? [] : [fieldsOf(media.schema, 'answer')]),
          '### Response headers',
          Object.entries(headers)
            .map(([name, header]) => `- **\`${name}\`** ${prose(resolved(header).description)}`)
            .join('\n'),
        ];
      }),
  ];
}

function errorsOf(call: Call): string[] {
  const rows = answersTo(call)
    .filter((answer) => !isGood(answer))
    .map(({ status, description, content }) => {
      const [, media] = mediaOf(content) ?? [];
      const code = (media?.example as { error: { code: string } } | undefined)?.error.code ?? '';
      return `| ${status} | [\`${code}\`](../errors#${code}) | ${prose(description).replaceAll('|', '\\|')} |`;
    });
  return rows.length === 0 ? [] : ['## Errors', `| status | code | why |\n|---|---|---|\n${rows.join('\n')}`];
}

/** What the service answers to the sample. */
const exampleAnswers = (call: Call): string[] =>
  answersTo(call)
    .filter(isGood)
    .flatMap(({ status, content }) => {
      const [type, media] = mediaOf(content) ?? [];
      return type === undefined || media?.example === undefined
        ? []
        : [`**Response** \`${status}\``, exampleOf(type, media.example)];
    });

/** What the page's form needs to make the call; null means test keys are refused there. */
function formOf(call: Call): object | null {
  if (call['x-test-keys'] !== true) return null;
  const [type, media] = mediaOf(call.requestBody?.content) ?? [null];
  const { example } = media ?? {};
  return {
    method: call.method.toUpperCase(),
    path: call.path,
    keyed: call.security?.length !== 0,
    parameters: parametersIn(call).map(({ name, in: place, required = false }) => ({ name, in: place, required })),
    type,
    body: typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example, null, 2),
  };
}

/** Fields beside what can be copied: on a wide window the second column stays in view. */
const columns = (fields: readonly string[], samples: readonly string[]): string[] => [
  '<div class="api-columns"><div class="api-samples">',
  ...samples,
  '</div><div class="api-fields">',
  ...fields,
  '</div></div>',
];

function pageOf(call: Call): string {
  const form = formOf(call);
  return [
    // JSON is YAML too.
    `---\n${JSON.stringify({ aside: false, pageClass: 'api-page', call: form })}\n---`,
    `# ${call.summary}`,
    `\`${call.method.toUpperCase()} ${call.path}\``,
    prose(call.description),
    ...columns(
      [...requestOf(call), ...responseOf(call), ...errorsOf(call)],
      [...samplesOf(call), ...(form === null ? [] : ['<TryIt />']), ...exampleAnswers(call)],
    ),
  ].join('\n\n');
}

const callsOf = (tag: string): Call[] => CALLS.filter(({ tags: [first] }) => first === tag);

/** What holds for all calls, then each call in one line. Its headings stand one lower than in the document. */
function overview(): string {
  const groups = DOCUMENT.tags.map(({ name, description }) => {
    const rows = callsOf(name).map(
      ({ method, path, page, summary }) => `| [${summary}](./${page}) | \`${method.toUpperCase()} ${path}\` |`,
    );
    return `### ${name}\n\n${prose(description)}\n\n| call | |\n|---|---|\n${rows.join('\n')}`;
  });
  // Links of the document are the service's, links of a page the site's.
  const told = DOCUMENT.info.description.replaceAll(/^#+ /gm, '#$&').replaceAll('](/docs/', '](/');
  return [
    '# The API',
    told,
    '## All calls',
    'The same as data: [openapi.json](/openapi.json){target="_self"}.',
    ...groups,
  ].join('\n\n');
}

/** Writes the pages below a folder of Markdown. */
export function writeApiPages(docs: string): void {
  const folder = join(docs, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.md'), `${overview()}\n`);
  for (const call of CALLS) writeFileSync(join(folder, `${call.page}.md`), `${pageOf(call)}\n`);
}

/** The reference's own column: all else stands in the documentation's. */
export const API_SIDEBAR: DefaultTheme.SidebarItem[] = [
  { text: 'The API', link: '/api/' },
  ...DOCUMENT.tags.map(({ name }) => ({
    text: name,
    collapsed: false,
    items: callsOf(name).map(({ summary, page }) => ({ text: summary, link: `/api/${page}` })),
  })),
];
