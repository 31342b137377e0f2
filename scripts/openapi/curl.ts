import type { RouteDeclaration } from '../../src/contract/route.ts';

/** In single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A line to paste: `$BASE_URL`, `$API_KEY` and what stands in the path in capitals are the reader's. */
export function curlOf({ method, path, access, body, upload, response }: RouteDeclaration): string {
  const target = path.replaceAll(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`);
  const isPlain = method === 'get' || (method === 'post' && body !== undefined);
  return [
    `curl ${isPlain ? '' : `-X ${method.toUpperCase()} `}"$BASE_URL${target}"`,
    ...(access === 'public' ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.example))}`]),
    ...(upload === undefined ? [] : [`-H 'Content-Type: ${upload.contentType}'`, '--data-binary @contacts.csv']),
    ...('contentType' in response ? ['-o results.csv'] : []),
  ].join(' \\\n  ');
}
