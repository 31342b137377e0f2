import { queryClient } from '../../api/query-client.ts';

/** A person signed in: what the page had of another person goes, and the way leads where it was meant to. */
export function openAfterSignIn(to: unknown): void {
  queryClient.clear();
  // A path of ours: `//host` and `/\host` lead to other sites.
  const isOwn = typeof to === 'string' && /^\/(?![/\\])/.test(to);
  window.location.replace(isOwn ? to : '/');
}
