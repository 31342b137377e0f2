import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One call of the API as a test made it, and its answer. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it has none. */
  readonly body: string | null;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
}

/** Reads the exchanges recorded in a folder. */
export const readExchanges = (folder: string): Exchange[] =>
  readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Exchange),
  );

type Request = (path: string, init?: RequestInit) => Promise<Response>;

/** Folder in which the http suite records its calls for `test/long/openapi-tools.test.ts`. */
const FOLDER = process.env['RECORDED_EXCHANGES'];
/** Maximum length in characters: large files and lists add nothing to the check. */
const LINE_LIMIT = 150_000;
const IS_API = /^\/(?:v1|operator|integrations|health)\b/;

/** Also writes each exchange as a line of JSON to the folder of `RECORDED_EXCHANGES`. Streamed bodies are left out. */
export function recorded(request: Request): Request {
  if (FOLDER === undefined) return request;
  const file = join(FOLDER, `${process.pid}-${process.hrtime.bigint()}.jsonl`);
  return async (path, init = {}) => {
    const response = await request(path, init);
    const { method = 'GET', headers, body = null } = init;
    if (!IS_API.test(path) || (body !== null && typeof body !== 'string')) return response;
    const write = (answer: string): void => {
      const exchange: Exchange = {
        method,
        path,
        headers: Object.fromEntries(new Headers(headers)),
        body,
        status: response.status,
        answerHeaders: Object.fromEntries(response.headers),
        answer,
      };
      const line = JSON.stringify(exchange);
      if (line.length <= LINE_LIMIT) appendFileSync(file, `${line}\n`);
    };
    // A broken-off answer isn't recorded.
    response
      .clone()
      .text()
      .then(write, () => undefined);
    return response;
  };
}
