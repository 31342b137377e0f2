import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { MAIL_SERVICES, type MailService } from '../../src/domain/feedback/outcomes.ts';
import { FAKE_EVENTS, type FakeEvent, fakeEvent } from '../mail-fakes/events.ts';
import { FAKES, type FakeSes, type FakeWebhook } from '../mail-fakes/services.ts';
import { type Connection, callService, OperatorError } from './api.ts';
import { printAnswer } from './print.ts';

interface Options {
  service: MailService;
  event: { readonly event: FakeEvent; readonly email: string };
}

/** `connection try`: a fake of a mail service sends an event to the local stack, so that no account is needed. */
export function addTryCommand(program: Command, connection: Command): void {
  connection
    .command('try <connection>')
    .description(
      'local stack only: have a fake of a mail service send an event; `new` makes a connection, any other gets a secret of the fake’s',
    )
    .addOption(new Option('--service <service>', 'which one').choices(MAIL_SERVICES).makeOptionMandatory())
    .addOption(
      new Option('--event <event:address>', `one of ${FAKE_EVENTS.join(', ')}; the address is made up`)
        .argParser(readEvent)
        .makeOptionMandatory(),
    )
    .action(async (id: string, options: Options) => {
      const { state, json } = program.opts<{ state: string; json: boolean }>();
      printAnswer(await tryConnection(localStack(state), id, options), json);
    });
}

function readEvent(text: string): Options['event'] {
  const [word = '', ...rest] = text.split(':');
  const event = FAKE_EVENTS.find((each) => each === word);
  const email = rest.join(':');
  if (event === undefined || !email.includes('@'))
    throw new OperatorError(
      `Give --event as ${FAKE_EVENTS[1]}:user@business.test, with one of ${FAKE_EVENTS.join(', ')}.`,
    );
  return { event, email };
}

/** A real connection is not for trying: a secret of the fake's would prove anybody's events there. */
function localStack(state: string): Connection {
  try {
    const { base_url, keys } = JSON.parse(readFileSync(join(state, 'stack.json'), 'utf8'));
    return { baseUrl: base_url, key: keys.admin };
  } catch {
    throw new OperatorError('This works only on the local stack: start it with `npm start` (--state says where).');
  }
}

async function tryConnection(stack: Connection, idOrNew: string, { service, event: { event, email } }: Options) {
  const fake = FAKES[service](Date.now());
  const isNew = idOrNew === 'new';
  const path = `/v1/connections${isNew ? '' : `/${encodeURIComponent(idOrNew)}`}`;
  const body = { ...(isNew && { kind: service }), secret: fake.secret };
  const { connection } = (await callService(stack, isNew ? 'POST' : 'PATCH', path, body)) as {
    connection: { id: string; kind: string };
  };
  if (connection.kind !== service) throw new OperatorError(`The connection is one of ${connection.kind}.`);
  const close = 'certificate' in fake ? await serveCertificate((fake as FakeSes).certificate) : null;
  try {
    const webhook = fake.sign(fakeEvent(service, event, email, Date.now()), Date.now());
    const answer = await deliver(`${stack.baseUrl}/integrations/${service}/${connection.id}`, webhook);
    return { connection: connection.id, service, event, ...answer };
  } finally {
    close?.();
  }
}

async function deliver(url: string, { headers, body }: FakeWebhook): Promise<object> {
  const response = await fetch(url, { method: 'POST', headers, body });
  const answer = (await response.json()) as { accepted?: number; error?: { code: string; message: string } };
  if (answer.error !== undefined) throw new OperatorError(`${answer.error.message} (${answer.error.code})`);
  return answer;
}

/** Stands in for Amazon's host, where the stack is set to look for certificates. */
async function serveCertificate({ path, pem }: FakeSes['certificate']): Promise<() => void> {
  const base = URL.parse(process.env.SNS_BASE_URL ?? '');
  if (base === null || base.hostname !== '127.0.0.1' || base.port === '')
    throw new OperatorError('Set SNS_BASE_URL=http://127.0.0.1:8790 for this command and for `npm start`.');
  const server = createServer((request, response) => {
    response.writeHead(request.url === path ? 200 : 404).end(request.url === path ? pem : '');
  });
  server.listen(Number(base.port), '127.0.0.1');
  await once(server, 'listening');
  return () => void server.close();
}
