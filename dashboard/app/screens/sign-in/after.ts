import { queryClient } from '../../api/query-client.ts';
import { ownPage } from '../../lib/own-page.ts';

/** A person signed in: what the page had of another person goes, and the way leads where it was meant to. */
export function openAfterSignIn(to: unknown): void {
  queryClient.clear();
  window.location.replace(ownPage(to, window.location.origin));
}
