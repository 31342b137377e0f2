import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { configure, render } from '@testing-library/react';
import { vi } from 'vitest';
import type { Role } from '../app/api/session.ts';

// What a test waits for comes sooner or later: a busy machine fails none. Looking at styles for what is hidden takes most of the time.
configure({ asyncUtilTimeout: 30_000, defaultHidden: true });

const ORGANISATION = 'org_00000000000000000000000001';
/** The person is in it too. */
export const OTHER_ORGANISATION = 'org_00000000000000000000000002';

/** What the dashboard's Worker answers, as JSON or whole, at once or later; undefined: there is nothing at this path. */
export type Answer = (call: Call) => object | Promise<object> | undefined;

/** A refusal in the API's envelope. */
export const refused = (status: number, message: string, code = 'invalid_request'): Response =>
  Response.json({ error: { code, message, trace_id: 'rq_1' } }, { status });

export interface Call {
  /** Of calls of the API. */
  readonly organisation: string | undefined;
  readonly method: string;
  /** Behind the organisation, for calls of the API: `/v1/policies/default`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
}

const meOf = (role: Role) => ({
  user: { id: 'u_00000000000000000000000001', email: 'you@example.com', name: 'You' },
  session: { id: 's', signed_in_at: Math.floor(Date.now() / 1000), second_factor: false },
  needs_code: false,
  factors: { totp: false, passkeys: 0 },
  organisations: [
    { id: ORGANISATION, name: 'Acme', role, needsSecondFactor: false },
    { id: OTHER_ORGANISATION, name: 'Bolt', role, needsSecondFactor: false },
  ],
  invitations: [],
  may_create: false,
  is_operator: false,
});

/** Opens a screen of the organisation as a person of this role, over a Worker that answers so. */
export async function openPage(screen: string, role: Role, answer: Answer): Promise<void> {
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.pathname === '/auth/me') return Response.json(meOf(role));
    const text = request.method === 'GET' ? '' : await request.text();
    const [base, organisation] = /^\/api\/([^/]+)/.exec(url.pathname) ?? [''];
    const found = await answer({
      organisation,
      method: request.method,
      path: url.pathname.slice(base.length),
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
    });
    if (found instanceof Response) return found;
    return found === undefined ? refused(404, 'There is nothing here.') : Response.json(found);
  });
  // Mantine waits for the page's fonts before it measures a field of text; happy-dom has none.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  window.history.replaceState(null, '', `/${ORGANISATION}/${screen}`);
  // Router and cache are one each: every page begins with new ones.
  vi.resetModules();
  const [{ router }, { queryClient }, { theme, cssVariables }] = await Promise.all([
    import('../app/router.tsx'),
    import('../app/api/query-client.ts'),
    import('../app/theme.ts'),
  ]);
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
