import { FAKES, type FakeWebhook } from '../../scripts/mail-fakes/services.ts';
import { MAIL_SERVICES } from '../../src/domain/feedback/outcomes.ts';
import type { startAmazon } from '../../test/support/amazon.ts';
import { EVENTS } from '../../test/support/mail-services.ts';
import { connect } from '../../test/support/mcp.ts';
import type { TestStack } from '../../test/support/stack.ts';
import { charge, invoice, stripeEvent, stripeSignature } from '../../test/support/stripe.ts';

type Amazon = Awaited<ReturnType<typeof startAmazon>>;
type Json = Record<string, unknown>;

const DOMAIN = 'business.test';
const STRIPE_SECRET = 'whsec_ExampleOfASecret';
/** An address inside a fixture of a mail service or of Stripe. */
const ANY_ADDRESS = /[\w.+-]+@[\w-]+\.[\w.-]+/g;
const POLL_MS = 5_000;

/** Marks that occur nowhere else: parts of every address and name that is sent, and of members' addresses. */
export interface Marks {
  readonly address: string;
  /** The same with a letter that ASCII lacks. */
  readonly wideAddress: string;
  readonly name: string;
  readonly member: string;
}

/** The calls with marked addresses, and the addresses. */
export class Drive {
  /** Each kind of call with its count. */
  readonly done = new Map<string, number>();
  readonly addresses = new Set<string>();
  private readonly stack: TestStack;
  private readonly amazon: Amazon;
  private readonly marks: Marks;

  constructor(stack: TestStack, amazon: Amazon, marks: Marks) {
    this.stack = stack;
    this.amazon = amazon;
    this.marks = marks;
  }

  /** A marked address; the part before the mark names its use. */
  address(use: string, mark = this.marks.address): string {
    const address = `${use}.${mark}@${DOMAIN}`;
    this.addresses.add(address);
    return address;
  }

  /** Calls everything that takes an address or a name, by every entrypoint. */
  async everything(cookie: string): Promise<void> {
    await this.answers();
    await this.lists();
    await this.files();
    await this.feedback();
    await this.tools();
    await this.people(cookie);
    await this.mistakes();
  }

  private async answers(): Promise<void> {
    const [plain, wide] = [this.address('ada'), this.address('ada', this.marks.wideAddress)];
    const tagged = `Ada.${this.marks.address.toUpperCase()}+${this.marks.name}@gmail.com`;
    this.addresses.add(tagged);
    const name = `Ada ${this.marks.name} King`;
    for (const email of [plain, wide, tagged]) {
      for (const path of ['check', 'verify', 'screen', 'decide', 'addresses/check'])
        await this.post(path, path === 'screen' || path === 'decide' ? { email, name } : { email });
    }
    const keyed = { 'idempotency-key': 'once' };
    const verified = await this.post('verify', { email: plain }, { headers: keyed });
    await this.post('verify', { email: plain }, { headers: keyed });
    const nowhere = `${this.marks.address}@nxdomain.test`;
    this.addresses.add(nowhere);
    await this.post('verify', { email: nowhere });
    await this.post('verify', { email: this.address('test') }, { key: this.stack.keys.test });
    const decided = await this.post('decide', {
      email: plain,
      name,
      attributes: { plan: 'analytical' },
    });
    for (const { trace_id: id } of [verified, decided]) {
      const report = { trace_id: id, outcome: 'hard_bounce', smtp_code: `550 5.1.1 <${plain}> ${name} unknown` };
      if (id === verified['trace_id']) await this.post('outcome', report);
      const at = Math.floor(Date.now() / 1_000);
      await this.post('events', { trace_id: id, event: 'subscribed', at });
      await this.read(`traces/${String(id)}`);
    }
    await this.post('traces/search', { email: plain }, { key: this.stack.keys.admin });
    await this.post('addresses/export', { email: plain }, { key: this.stack.keys.admin });
    for (const path of ['traces', 'screenings', 'segments', 'usage', 'recommendations', 'calibration', 'audit'])
      await this.read(path);
  }

  private async lists(): Promise<void> {
    const key = this.stack.keys.admin;
    for (const list of ['blocklist', 'allowlist']) {
      await this.post(`addresses/${list}`, { emails: [this.address(list), this.address('moved')] }, { key });
      await this.read(`addresses/${list}`);
      await this.send('DELETE', `addresses/${list}`, { emails: [this.address('moved')] }, { key });
    }
  }

  private async files(): Promise<void> {
    const emails = Array.from({ length: 120 }, (_, at) => this.address(`row${at}`));
    const pasted = await this.job();
    await this.post(`bulk/jobs/${pasted}/paste`, { emails });
    await this.run(pasted);
    const uploaded = await this.job();
    const lines = emails.map((email, at) => `"${this.marks.name} ${at}",${email}`);
    const file = `Name,E-mail\n${lines.join('\n')}\n${this.marks.name},no address of ${this.marks.address}\n`;
    await this.send('PUT', `bulk/jobs/${uploaded}/upload`, file, { headers: { 'content-type': 'text/csv' } });
    await this.run(uploaded);
    const refused = await this.job();
    const broken = `Name,E-mail\n"${this.marks.name},${this.address('broken')}\n`;
    await this.send('PUT', `bulk/jobs/${refused}/upload`, broken, {
      headers: { 'content-type': 'text/csv' },
      isMistake: true,
    });
    await this.post(`bulk/jobs/${uploaded}/block`, { verdicts: ['risky'] }, { isMistake: true });
  }

  private async job(): Promise<string> {
    const { job } = (await this.post('bulk/jobs', { name: 'March' })) as { job: { id: string } };
    return job.id;
  }

  private async run(id: string): Promise<void> {
    await this.read(`bulk/jobs/${id}/estimate`);
    await this.post(`bulk/jobs/${id}/start`, { allow_partial: true });
    for (;;) {
      const { job } = (await this.read(`bulk/jobs/${id}`)) as { job: { state: string } };
      if (job.state === 'done') break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    for (const path of ['results.csv', 'preview']) await this.read(`bulk/jobs/${id}/${path}`);
  }

  private async feedback(): Promise<void> {
    const key = this.stack.keys.admin;
    const at = Math.floor(Date.now() / 1_000) - 60;
    const imported = this.address('imported');
    await this.post('outcomes/import', { outcomes: [{ email: imported, outcome: 'delivered', at }] }, { key });
    const marked = <T>(event: T, use: string): T =>
      JSON.parse(JSON.stringify(event).replaceAll(ANY_ADDRESS, this.address(use))) as T;
    const connected = async (kind: string, secret: string): Promise<string> => {
      const made = (await this.post('connections', { kind, secret }, { key })) as { connection: { id: string } };
      return made.connection.id;
    };
    for (const kind of MAIL_SERVICES) {
      const fake = FAKES[kind](Date.now());
      this.amazon.show(fake);
      const id = await connected(kind, fake.secret);
      for (const { event } of Object.values(EVENTS[kind]))
        await this.hook(kind, id, fake.sign(marked(event, kind), Date.now()));
    }
    const id = await connected('stripe', STRIPE_SECRET);
    const customer = { id: 'cus_1', object: 'customer', email: this.address('stripe'), name: this.marks.name };
    const paid = marked(invoice({ customer_name: this.marks.name }), 'stripe');
    for (const [type, object] of [
      ['customer.created', customer],
      ['invoice.paid', paid],
      ['charge.refunded', marked(charge(), 'stripe')],
    ] as const) {
      const body = JSON.stringify(stripeEvent(type, object));
      await this.hook('stripe', id, {
        headers: { 'content-type': 'application/json', 'stripe-signature': stripeSignature(body, [STRIPE_SECRET]) },
        body,
      });
    }
  }

  private async hook(kind: string, id: string, { headers, body }: FakeWebhook): Promise<void> {
    const url = `${this.stack.base_url}/integrations/${kind}/${id}`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    await this.note(`webhook of ${kind}`, answer, false);
  }

  /** The tools of MCP that take an address. */
  private async tools(): Promise<void> {
    const send = (url: string, init: RequestInit) =>
      fetch(url.replace('https://service.test', this.stack.base_url), init);
    const { client, call } = await connect(send, this.stack.keys.member, '2025-11-25');
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const fields = Object.keys(inputSchema.properties ?? {});
      if (!fields.includes('email')) continue;
      const input = { email: this.address('tool'), ...(fields.includes('name') && { name: this.marks.name }) };
      await call(name, input);
      this.count(`tool ${name}`);
    }
  }

  /** Members, whose addresses are kept, and at the dashboard a stranger, whose address is not. */
  private async people(cookie: string): Promise<void> {
    const { base_url: url, org_id: id, keys, dashboard_url: dashboard } = this.stack;
    const operator = { key: keys.operator, base: `${url}/operator/v1/` };
    await this.post(
      `organisations/${id}/users`,
      { email: `${this.marks.member}@people.test`, role: 'viewer' },
      operator,
    );
    const invited = { email: `invited.${this.marks.member}@people.test`, role: 'viewer' };
    await this.post('invitations', invited, { key: keys.admin });
    const page = { origin: dashboard, 'sec-fetch-site': 'same-origin', cookie };
    const own = { base: `${dashboard}/api/${id}/v1/`, headers: page, key: null };
    await this.post('verify', { email: this.address('page') }, own);
    await this.post('traces/search', { email: this.address('page') }, own);
    const link = { base: `${dashboard}/auth/`, headers: page, key: null };
    await this.post('link', { email: this.address('stranger') }, link);
  }

  /** Addresses in every place of a request where none belongs. */
  private async mistakes(): Promise<void> {
    const email = this.address('astray');
    const wrong = { isMistake: true } as const;
    await this.post('verify', `{"email": "${email}"`, wrong);
    await this.post('verify', { email, also: email }, wrong);
    await this.post('verify', { email }, { isMistake: true, key: email });
    await this.post('verify', { email }, { isMistake: true, headers: { 'idempotency-key': email } });
    await this.post(
      'verify',
      { email: this.address('ua') },
      { headers: { 'user-agent': email, referer: `https://x.test/?${email}` } },
    );
    await this.post('verify', { email: [email] }, wrong);
    await this.post('events', { trace_id: email, event: email, at: 1 }, wrong);
    await this.post('outcome', { trace_id: email, outcome: email }, wrong);
    await this.post('domains/blocklist', { domains: [email] }, wrong);
    for (const path of [
      `traces/${encodeURIComponent(email)}`,
      `traces?cursor=${encodeURIComponent(email)}`,
      `verify?email=${email}`,
      email,
    ])
      await this.send('GET', path, undefined, wrong);
  }

  /** Forgets every address that was sent, as an operator does, until nothing is pending. */
  async forget(): Promise<void> {
    const operator = { key: this.stack.keys.operator, base: `${this.stack.base_url}/operator/v1/` };
    for (const email of this.addresses) {
      for (;;) {
        const { pending, incomplete } = (await this.post('forget', { email }, operator)) as Record<string, string[]>;
        if (pending?.length === 0 && incomplete?.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
  }

  /** Waits until nothing is on its way to Postgres. */
  async written(): Promise<void> {
    const headers = { authorization: `Bearer ${this.stack.keys.operator}` };
    for (;;) {
      const answer = await fetch(`${this.stack.base_url}/operator/v1/status`, { headers });
      const { organisations } = (await answer.json()) as { organisations: { outbox_rows: number }[] };
      if (organisations.every(({ outbox_rows: rows }) => rows === 0)) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private post(path: string, body: unknown, options: Sending = {}): Promise<Json> {
    return this.send('POST', path, body, options);
  }

  private read(path: string): Promise<Json> {
    return this.send('GET', path, undefined, { key: this.stack.keys.admin });
  }

  private async send(method: string, path: string, body: unknown, options: Sending = {}): Promise<Json> {
    const { base = `${this.stack.base_url}/v1/`, key = this.stack.keys.member, headers = {} } = options;
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: Object.assign(
        {},
        key === null ? {} : { authorization: `Bearer ${key}` },
        body === undefined ? {} : { 'content-type': 'application/json' },
        headers,
      ),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const what = options.isMistake ? 'a mistaken call' : `${method} ${path.replaceAll(/\b[a-z]{2,3}_\w{26}/g, ':id')}`;
    return this.note(what, answer, options.isMistake ?? false);
  }

  /** Counts the call; rejects an answer that is a failure, or a refusal of what is no mistake. */
  private async note(what: string, answer: Response, isMistake: boolean): Promise<Json> {
    const text = await answer.text();
    if (answer.status >= 500 || (answer.status >= 400 && !isMistake))
      throw new Error(`${what}: ${answer.status} ${text.slice(0, 300)}`);
    this.count(what);
    return text.startsWith('{') ? (JSON.parse(text) as Json) : {};
  }

  private count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
  }
}

interface Sending {
  /** Null means none. */
  readonly key?: string | null;
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A refusal is as good. */
  readonly isMistake?: boolean;
}
