import type { SignInLink } from './child.ts';
import { StackError } from './stack-error.ts';

const TIMEOUT_MS = 10_000;

/** Asks the dashboard for a link as a person at its page does, and waits for it at the console. */
export async function askSignInLink(
  dashboardUrl: string,
  email: string,
  onLink: (listener: (link: SignInLink) => void) => () => void,
): Promise<string> {
  const shown = Promise.withResolvers<string>();
  // A wait that is never reached must not end the process.
  shown.promise.catch(() => {});
  const ignore = onLink((link) => {
    if (link.email === email) shown.resolve(link.url);
  });
  const timer = setTimeout(
    () =>
      shown.reject(new StackError('The dashboard gave no sign-in link; its log is worker.log in the state directory.')),
    TIMEOUT_MS,
  );
  try {
    const response = await fetch(`${dashboardUrl}/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: dashboardUrl },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Restarted often within minutes: the stack runs, and its sign-in page gives a link later.
    if (response.status === 429) return dashboardUrl;
    if (!response.ok) throw new StackError(`The dashboard answers ${response.status} ${await response.text()}`);
    return await shown.promise;
  } finally {
    clearTimeout(timer);
    ignore();
  }
}
