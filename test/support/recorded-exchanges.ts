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

/** What was left in a folder. */
export const readExchanges = (folder: string): Exchange[] =>
  readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Exchange),
  );

type Request = (path: string, init?: RequestInit) => Promise<Response>;

/** Where the http suite leaves its calls for `test/long/openapi-tools.test.ts`: of that suite's own run, or of `.ci/run`'s `npm test`. */
const FOLDER = process.env['RECORDED_EXCHANGES'];
/** Characters: whole files and lists of ten thousand say no more than short ones. */
const LINE_LIMIT = 150_000;
const IS_API = /^\/(?:v1|operator|integrations|health)\b/;

/** The same, whose exchanges are also written to the folder of `RECORDED_EXCHANGES`, a line of JSON each. Bodies that are streams are left out. */
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
    // An answer that breaks off is not one.
    response
      .clone()
      .text()
      .then(write, () => undefined);
    return response;
  };
}
