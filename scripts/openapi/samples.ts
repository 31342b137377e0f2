import type { RouteDeclaration } from '../../src/contract/route.ts';

/** In single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const isKeyed = ({ access }: RouteDeclaration): boolean => access !== 'public';
const isFile = ({ response }: RouteDeclaration): boolean => 'contentType' in response;
/** What stands in the path in capitals is the reader's. */
const targetOf = (path: string, named: (name: string) => string): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => named(name));
const indented = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** A line to paste: `$BASE_URL`, `$API_KEY` and what stands in the path in capitals are the reader's. */
function curlOf(route: RouteDeclaration): string {
  const { method, path, body, upload } = route;
  const target = targetOf(path, (name) => `$${name.toUpperCase()}`);
  const isPlain = method === 'get' || (method === 'post' && body !== undefined);
  return [
    `curl ${isPlain ? '' : `-X ${method.toUpperCase()} `}"$BASE_URL${target}"`,
    ...(isKeyed(route) ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.example))}`]),
    ...(upload === undefined ? [] : [`-H 'Content-Type: ${upload.contentType}'`, '--data-binary @contacts.csv']),
    ...(isFile(route) ? ['-o results.csv'] : []),
  ].join(' \\\n  ');
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
  return `const answer = await fetch(\`\${BASE_URL}${target}\`${options});
console.log(answer.status, await answer.${isFile(route) ? 'text' : 'json'}());`;
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
/** JSON as Python writes it; words inside of texts stay. */
const pythonOf = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => PYTHON_WORDS[token] ?? token,
  );

/** With the library that most Python programs call an API with. */
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
  return `import requests

answer = requests.${method}(
    ${lines.join('\n    ')}
)
print(answer.status_code, answer.${isFile(route) ? 'text' : 'json()'})`;
}

/** The call in the languages that readers copy from. */
export const samplesOf = (route: RouteDeclaration) => [
  { lang: 'Shell', label: 'curl', source: curlOf(route) },
  { lang: 'JavaScript', label: 'JavaScript', source: javascriptOf(route) },
  { lang: 'Python', label: 'Python', source: pythonCallOf(route) },
];
