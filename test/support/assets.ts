import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PUBLIC = join(import.meta.dirname, '../../public');
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const found = (bytes: Uint8Array<ArrayBuffer>, file: string): Response =>
  new Response(bytes, {
    headers: {
      'content-type': TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain',
      'cache-control': 'public, max-age=0, must-revalidate',
      etag: '"1"',
    },
  });
const leadTo = (location: string): Response => new Response(null, { status: 307, headers: { location } });

/** Answers as the `ASSETS` binding does: files of `public/`, pages without `.html`, and a folder's index. */
export async function serveAsset(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const read = (path: string): Promise<Uint8Array<ArrayBuffer> | null> =>
    readFile(join(PUBLIC, path)).catch(() => null);
  if (pathname.endsWith('/')) {
    const index = await read(`${pathname}index.html`);
    return index === null ? leadTo(pathname.slice(0, -1)) : found(index, 'index.html');
  }
  const file = pathname.includes('.') ? pathname : `${pathname}.html`;
  const bytes = await read(file);
  if (bytes !== null) return found(bytes, file);
  return (await read(`${pathname}/index.html`)) === null ? new Response(null, { status: 404 }) : leadTo(`${pathname}/`);
}
