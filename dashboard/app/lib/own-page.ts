/** Where to go after signing in: `to` where it leads to this site, else its start. A path may lead away too: `//host`, `/\host`. */
export function ownPage(to: unknown, origin: string): string {
  const isPath = typeof to === 'string' && to.startsWith('/') && URL.canParse(to, origin);
  const url = new URL(isPath ? to : '/', origin);
  // The full URL, as a path may be parsed differently again.
  return url.origin === origin ? url.href : origin;
}
