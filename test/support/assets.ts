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

/** What the `ASSETS` binding answers: a file of `public/`, one of HTML under its name without the ending alone. */
export async function serveAsset(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/')) return new Response(null, { status: 307, headers: { location: pathname.slice(0, -1) } });
  const file = pathname.includes('.') ? pathname : `${pathname}.html`;
  try {
    const bytes = await readFile(join(PUBLIC, file));
    return new Response(bytes, {
      headers: {
        'content-type': TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain',
        'cache-control': 'public, max-age=0, must-revalidate',
        etag: '"1"',
      },
    });
  } catch {
    return new Response(null, { status: 404 });
  }
}
