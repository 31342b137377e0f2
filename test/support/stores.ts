import type { startService } from './service.ts';

type Service = Pick<
  Awaited<ReturnType<typeof startService>>,
  'database' | 'facts' | 'files' | 'objects' | 'wakes' | 'jobs' | 'nights'
>;

/** The content of one place in a store: a row, an entry or a file. */
interface Held {
  readonly place: string;
  readonly bytes: Uint8Array;
}

const utf8 = new TextEncoder();
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A row with every column as text; a blob in hex, which is how needles of keyed hashes are written. */
const rowBytes = (row: object): Uint8Array =>
  utf8.encode(
    JSON.stringify(row, (_, value) =>
      value instanceof Uint8Array || value instanceof ArrayBuffer
        ? Buffer.from(value instanceof ArrayBuffer ? new Uint8Array(value) : value).toString('hex')
        : typeof value === 'bigint'
          ? `${value}`
          : value,
    ),
  );

/** Every row of every table of an organisation's object. */
function* heldByObjects({ objects }: Service): Generator<Held> {
  for (const [id, { storage }] of objects) {
    const tables = storage.sql.exec<{ name: string }>("select name from sqlite_master where type = 'table'").toArray();
    for (const { name } of tables) {
      for (const row of storage.sql.exec(`select * from ${quoted(name)}`).toArray())
        yield { place: `object ${id} ${name}`, bytes: rowBytes(row) };
    }
  }
}

/** Every row of every table of Postgres, partitions and the migrations' own included. */
async function* heldByPostgres({ database }: Service): AsyncGenerator<Held> {
  const { rows: tables } = await database.query(
    `select table_schema, table_name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    [],
  );
  for (const [schema = '', table = ''] of tables as string[][]) {
    const { rows } = await database.query(
      `select to_jsonb(t)::text from only ${quoted(schema)}.${quoted(table)} as t`,
      [],
    );
    for (const [text = ''] of rows as string[][]) yield { place: `postgres ${table}`, bytes: utf8.encode(text) };
  }
}

function* heldElsewhere({ facts, files, wakes, jobs, nights }: Service): Generator<Held> {
  for (const [key, value] of facts)
    yield { place: `kv ${key}`, bytes: Buffer.concat([utf8.encode(`${key} `), Buffer.from(value)]) };
  for (const key of files.keys()) {
    yield { place: `r2 ${key}`, bytes: utf8.encode(key) };
    yield { place: `r2 ${key}`, bytes: files.bytes(key) ?? new Uint8Array() };
  }
  for (const [queue, bodies] of Object.entries({ wakes, jobs, nights })) {
    for (const body of bodies) yield { place: `queue ${queue}`, bytes: rowBytes(body as object) };
  }
}

/** Shorter base64 texts occur by chance in random data. */
const BASE64_MIN = 8;

/** A text in base64 at each of three offsets, without characters shared with neighbouring bytes. */
function inBase64(text: string): Buffer[] {
  const encoded = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    return bytes.subarray(before === 0 ? 0 : 3, bytes.length - (bytes.length % 3));
  });
  return encoded
    .flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')])
    .filter((form) => form.length >= BASE64_MIN)
    .map((form) => Buffer.from(form));
}

/** With all but ASCII letters and digits escaped. */
const escaped = (text: string, escape: (character: string) => string): Buffer =>
  Buffer.from(text.replace(/[^a-z\d]/gu, escape));
const urlEscape = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/**
 * The forms of a lower-case text: plain, ASCII-escaped as in the outbox, UTF-16 as in uploads, and escaped for URLs and HTML.
 */
function formsOf(needle: string): Buffer[] {
  const ascii = needle.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [
    Buffer.from(needle),
    Buffer.from(ascii),
    Buffer.from(needle, 'utf16le'),
    Buffer.from(needle, 'utf16le').swap16(),
    Buffer.from(encodeURIComponent(needle).toLowerCase()),
    escaped(needle, urlEscape),
    escaped(needle, (character) => `&#${character.codePointAt(0)};`),
    escaped(needle, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  ];
}

/** ASCII letters in lower case. */
function lowered(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 0; at < copy.length; at += 1) {
    const byte = copy[at] ?? 0;
    if (byte >= 0x41 && byte <= 0x5a) copy[at] = byte + 0x20;
  }
  return copy;
}

/**
 * Finds these texts in every store of a service, byte by byte: objects, Postgres, KV, R2, queues and log lines. Returns one
 * line per find: the place, then the text.
 */
export async function findInStores(
  service: Service,
  needles: readonly string[],
  logged: readonly string[] = [],
): Promise<string[]> {
  const wanted = needles.map((needle) => ({
    needle,
    forms: formsOf(needle.toLowerCase()),
    // Base64 is case-sensitive.
    exact: [needle, needle.toLowerCase()].flatMap(inBase64),
  }));
  const found = new Set<string>();
  const look = ({ place, bytes }: Held): void => {
    const text = lowered(bytes);
    const raw = Buffer.from(bytes);
    for (const { needle, forms, exact } of wanted) {
      const isHeld = forms.some((form) => text.includes(form)) || exact.some((form) => raw.includes(form));
      if (isHeld) found.add(`${place}: ${needle}`);
    }
  };
  for (const held of heldByObjects(service)) look(held);
  for await (const held of heldByPostgres(service)) look(held);
  for (const held of heldElsewhere(service)) look(held);
  look({ place: 'log', bytes: utf8.encode(logged.join('\n')) });
  return [...found].sort();
}
