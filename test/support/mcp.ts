import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The two generations of the protocol, by the newest revision of each. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The official client, connected: by handshake in the first generation, by discovery in the second. */
export async function connect(send: Send, key: string, revision: Revision, headers: Record<string, string> = {}) {
  const responses: Response[] = [];
  const transport = new StreamableHTTPClientTransport(new URL('https://service.test/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    fetch: async (url, init) => {
      const response = await send(String(url), init as RequestInit);
      responses.push(response.clone());
      return response;
    },
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  );
  await client.connect(transport);
  return {
    client,
    /** A tool's answer, with the response that brought it. */
    async call(name: string, input: Record<string, unknown> = {}) {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
      const body = JSON.parse(JSON.stringify(structuredContent));
      return { body, content, isError, response: responses.at(-1) as Response };
    },
  };
}
