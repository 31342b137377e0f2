import { createClient } from '../../client/src/client.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';

/** In single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether the page of the call may try it: with a test key, or without one if it needs none. */
export const takesTestKeys = ({ access, signed, live, fresh }: RouteDeclaration): boolean =>
  signed === undefined && live !== true && fresh !== true && access !== 'operator' && access !== 'bootstrap';

/** The shell variable with a key for the call. */
function keyOf(route: RouteDeclaration): string {
  if (route.access === 'bootstrap') return 'BOOTSTRAP_TOKEN';
  return takesTestKeys(route) ? 'KEY' : route.access.toUpperCase();
}

const isKeyed = ({ access }: RouteDeclaration): boolean => access !== 'public';
const isFile = ({ response }: RouteDeclaration): boolean => 'contentType' in response;
/** An id or name in a path, by its list; for an organisation's list, by the list's last word. */
const LISTED: Readonly<Record<string, string>> = {
  '/v1/keys': 'key_…',
  '/v1/members': 'u_…',
  '/v1/invitations': 'inv_…',
  '/v1/connections': 'con_…',
  '/v1/bulk/jobs': 'bj_…',
  '/v1/traces': 'vr_…',
  '/v1/screenings': 'sc_…',
  '/v1/policies': 'default',
  '/v1/subprocessors': 'kickbox',
  '/operator/v1/organisations': 'org_…',
  keys: 'key_…',
  connections: 'con_…',
};

interface Blank {
  readonly name: string;
  readonly value: string;
  /** Where readers find their own. */
  readonly from: string;
}

/** The placeholders of the path. */
function blanksOf({ path }: RouteDeclaration): Blank[] {
  return Array.from(path.matchAll(/:(\w+)/g), ({ 1: name = '', index }) => {
    const list = path.slice(0, index - 1);
    const value = LISTED[list] ?? LISTED[list.split('/').at(-1) ?? ''];
    if (value === undefined) throw new Error(`say in samples.ts what ${path} takes`);
    return { name, value, from: `GET ${list.replaceAll(/:(\w+)/g, '{$1}')}` };
  });
}

/** Capitals in the path are placeholders. */
const targetOf = (path: string, named: (name: string) => string): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => named(name));
const indented = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Lines to paste: `$BASE_URL`, the key and the values above the call are the reader's. */
function curlOf(route: RouteDeclaration): string {
  const { method, path, body, upload } = route;
  const target = targetOf(path, (name) => `$${name.toUpperCase()}`);
  const isPlain = method === 'get' || (method === 'post' && body !== undefined);
  const blanks = blanksOf(route).map(({ name, value, from }) => `${name.toUpperCase()}='${value}' # from ${from}\n`);
  const lines = [
    `curl ${isPlain ? '' : `-X ${method.toUpperCase()} `}"$BASE_URL${target}"`,
    ...(isKeyed(route) ? [`-H "Authorization: Bearer $${keyOf(route)}"`] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.example))}`]),
    ...(upload === undefined ? [] : [`-H 'Content-Type: ${upload.contentType}'`, '--data-binary @contacts.csv']),
    ...(isFile(route) ? ['-o results.csv'] : []),
  ];
  return blanks.join('') + lines.join(' \\\n  ');
}

function javascriptOf(route: RouteDeclaration): string {
  const { method, path, body, upload } = route;
  const type = upload?.contentType ?? (body === undefined ? null : 'application/json');
  const headers = [
    ...(isKeyed(route) ? ['Authorization: `Bearer ${API_KEY}`'] : []),
    ...(type === null ? [] : [`'Content-Type': '${type}'`]),
  ];
  const lines = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}',`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body.example, null, 2), 2)}),`]),
    ...(upload === undefined ? [] : ['body: contacts,']),
  ];
  const options = lines.length === 0 ? '' : `, {\n  ${lines.join('\n  ')}\n}`;
  const target = targetOf(path, (name) => `\${${name}}`);
  const blanks = blanksOf(route).map(({ name, value, from }) => `const ${name} = '${value}'; // from ${from}\n`);
  return `${blanks.join('')}const answer = await fetch(\`\${BASE_URL}${target}\`${options});
console.log(answer.status, await answer.${isFile(route) ? 'text' : 'json'}());`;
}

/** Functions of the client library that take the body's parts, or a list from it; all others take the body. */
const TAKES: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown[]>> = {
  verifyEmail: ({ email, context }) => (context === undefined ? [email] : [email, context]),
  checkEmail: ({ email }) => [email],
  screenEmail: ({ email, name }) => (name === undefined ? [email] : [email, name]),
  importOutcomes: ({ outcomes }) => [outcomes],
  sendEvents: (event) => [[event]],
  pasteBulkEmails: ({ emails }) => [emails],
  checkDomain: ({ domain }) => [domain],
  checkAddress: ({ email }) => [email],
  ...Object.fromEntries(
    ['block', 'unblock', 'allow', 'unallow'].flatMap((verb) => [
      [`${verb}Domains`, ({ domains, note }) => (note === undefined ? [domains] : [domains, note])],
      [`${verb}Addresses`, ({ emails, note }) => (note === undefined ? [emails] : [emails, note])],
    ]),
  ),
};
/** Where the client's name differs from the operation's. */
const CLIENT_NAMES: Readonly<Record<string, string>> = { screenContact: 'screenEmail', decideSignup: 'decide' };
const CLIENT = createClient({ apiKey: 'evk_test_none', baseUrl: 'http://localhost' });

/** The call in the client library, if it has it. */
function clientOf(operationId: string, route: RouteDeclaration): string | null {
  const name = CLIENT_NAMES[operationId] ?? operationId;
  if (!(name in CLIENT)) return null;
  const blanks = blanksOf(route);
  const { example } = route.body ?? {};
  const given = example === undefined ? [] : (TAKES[name]?.(example as Readonly<Record<string, unknown>>) ?? [example]);
  const sent = [
    ...blanks.map((blank) => blank.name),
    ...given.map((each) => JSON.stringify(each, null, 2)),
    ...(route.upload === undefined ? [] : ['contacts']),
  ];
  return `import { createClient } from 'email-verification-client';

const mail = createClient({ apiKey: API_KEY, baseUrl: BASE_URL });
${blanks.map((blank) => `const ${blank.name} = '${blank.value}'; // from ${blank.from}\n`).join('')}console.log(await mail.${name}(${sent.join(', ')}));`;
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
/** JSON as Python writes it; words inside of texts stay. */
const pythonOf = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => PYTHON_WORDS[token] ?? token,
  );

/** With the most common HTTP library of Python. */
function pythonCallOf(route: RouteDeclaration): string {
  const { method, path, body, upload } = route;
  const headers = [
    ...(isKeyed(route) ? ['"Authorization": f"Bearer {API_KEY}"'] : []),
    ...(upload === undefined ? [] : [`"Content-Type": "${upload.contentType}"`]),
  ];
  const lines = [
    `f"{BASE_URL}${targetOf(path, (name) => `{${name}}`)}",`,
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`json=${indented(pythonOf(body.example), 4)},`]),
    ...(upload === undefined ? [] : ['data=contacts,']),
  ];
  const blanks = blanksOf(route).map(({ name, value, from }) => `${name} = "${value}"  # from ${from}\n`);
  return `import requests

${blanks.join('')}answer = requests.${method}(
    ${lines.join('\n    ')}
)
print(answer.status_code, answer.${isFile(route) ? 'text' : 'json()'})`;
}

/** The call in the languages that readers copy from. */
export function samplesOf(operationId: string, route: RouteDeclaration) {
  const client = clientOf(operationId, route);
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(route) },
    ...(client === null ? [] : [{ lang: 'JavaScript', label: 'Client', source: client }]),
    { lang: 'JavaScript', label: 'JavaScript', source: javascriptOf(route) },
    { lang: 'Python', label: 'Python', source: pythonCallOf(route) },
  ];
}
