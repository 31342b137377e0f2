import { connect } from 'node:net';

/** Bytes that are no request of HTTP, or one that two readers may cut differently. */
export const RAW: Readonly<Record<string, (key: string) => string>> = {
  'no request': () => '\0\x01\x02\r\n\r\n',
  'a line that never ends': () => `GET /${'a'.repeat(70_000)}`,
  'HTTP/0.9': () => 'GET /health\r\n',
  'an unknown version': () => 'GET /health HTTP/9.9\r\nhost: a\r\n\r\n',
  'an unknown method': () => 'BREW /health HTTP/1.1\r\nhost: a\r\n\r\n',
  'no host': () => 'GET /health HTTP/1.1\r\n\r\n',
  'two hosts': () => 'GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'a header without a name': () => 'GET /health HTTP/1.1\r\nhost: a\r\n: b\r\n\r\n',
  'a header that is folded': () => 'GET /health HTTP/1.1\r\nhost: a\r\nx: b\r\n c\r\n\r\n',
  'a header of 100 KB': () => `GET /health HTTP/1.1\r\nhost: a\r\nx: ${'b'.repeat(100_000)}\r\n\r\n`,
  '2,000 headers': () => `GET /health HTTP/1.1\r\nhost: a\r\n${'x: b\r\n'.repeat(2_000)}\r\n`,
  'a NUL in a header': () => 'GET /health HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n',
  'a path of bytes': () => 'GET /v1/\xff\xfe\x80 HTTP/1.1\r\nhost: a\r\n\r\n',
  'a path of escapes': () => 'GET /v1/%2e%2e/%00/%ff%fe HTTP/1.1\r\nhost: a\r\n\r\n',
  'a whole URL': () => 'GET http://elsewhere.test/health HTTP/1.1\r\nhost: a\r\n\r\n',
  'a length and chunks': (key) =>
    `POST /v1/check HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\nhost: a\r\n\r\n`,
  'two lengths': (key) =>
    `POST /v1/check HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: 2\r\ncontent-length: 40\r\n\r\n{}`,
  'a length below none': () => 'POST /v1/check HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'a chunk of no size': () =>
    'POST /v1/check HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'a chunk of a huge size': () =>
    'POST /v1/check HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n0\r\n\r\n',
  'a body that breaks off': (key) =>
    `POST /v1/check HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 400\r\n\r\n{"email"`,
  'another protocol asked for': () =>
    'GET /v1/me HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  'HTTP/2 without asking': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'many at once': () => 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50),
};

/** Requests that the runtime itself answers with 500, before the Worker runs. */
export const BY_RUNTIME: Readonly<Record<string, string>> = {
  'two hosts': 'the runtime makes one URL of both and fails on it',
};

const SILENCE_MS = 700;

/** Statuses that came back for these bytes, until the connection ended or was silent for a while. */
export const sendRaw = (port: number, bytes: string): Promise<number[]> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    let text = '';
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () =>
      resolve(Array.from(text.matchAll(/HTTP\/1\.[01] (\d{3})/g), ([, status]) => Number(status))),
    );
  });
