import type { Context } from './context.ts';

const NONCE = /__NONCE__/g;

/** No inline script, and no style but those with this response's nonce: Mantine puts its variables into such. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page: the same for every path, as the app reads the path itself. */
export async function servePage({ assets }: Context): Promise<Response> {
  const page = await assets.fetch('https://assets.internal/index.html');
  if (!page.ok) throw new Error('the page is not built');
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const html = (await page.text()).replace(NONCE, nonce);
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(nonce) },
  });
}
