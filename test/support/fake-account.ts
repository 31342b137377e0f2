/** The parts of a Cloudflare account that provisioning uses. */
export interface Account {
  /** Every call, without its input. */
  calls: string[];
  namespaces: { id: string; title: string }[];
  /** Lifecycle rules by bucket. */
  buckets: Record<string, string[]>;
  queues: string[];
  /** Null means the Worker is not there yet. */
  secrets: Record<string, string> | null;
  /** Secrets of the dashboard's Worker. */
  dashboardSecrets: Record<string, string> | null;
  /** The next call with this prefix fails, once. */
  fail: string | null;
  /** Overrides of the output, by call. */
  prints: Readonly<Record<string, string>>;
  /** Whether outputs repeat the input, which may be a secret. */
  echo: boolean;
  /** Where the deployed Worker answers. */
  url: string | null;
}

export const emptyAccount = (change: Partial<Account> = {}): Account => ({
  calls: [],
  namespaces: [],
  buckets: {},
  queues: [],
  secrets: null,
  dashboardSecrets: null,
  fail: null,
  prints: {},
  echo: false,
  url: null,
  ...change,
});

const labelled = (names: readonly string[]): string =>
  names.map((name) => `name:           ${name}\ncreation_date:  2026-01-01`).join('\n\n');

/** Wrangler lists the first page only. */
const BUCKETS_A_PAGE = 20;

/** Wrangler's answer to a call with the dashboard's configuration. */
export function answerOfDashboard(account: Account, words: readonly string[], input: string): Said {
  const own = { ...account, secrets: account.dashboardSecrets };
  const said = answer(own, ['dashboard:', ...words], input);
  Object.assign(account, { dashboardSecrets: own.secrets, fail: own.fail });
  return said;
}

type Said = readonly [ok: boolean, text: string];

/** Wrangler's answer to a call, and its effect on the account. Texts that scripts read are the real ones. */
export function answer(account: Account, words: readonly string[], input: string): Said {
  const line = words.join(' ');
  account.calls.push(line);
  const own = words[0] === 'dashboard:' ? words.slice(1) : words;
  const [ok, text] = answerTo(account, own.join(' '), own, input);
  return [ok, account.echo ? `${text} ${input}` : text];
}

function answerTo(account: Account, line: string, words: readonly string[], input: string): Said {
  if (account.fail !== null && line.startsWith(account.fail)) {
    account.fail = null;
    return [false, '✘ [ERROR] A request to the Cloudflare API failed. Internal error [code: 10001]'];
  }
  const printed = account.prints[line];
  if (printed !== undefined) return [true, printed];
  const { namespaces, buckets, queues, secrets } = account;
  const called = (command: string): string[] | null =>
    line.startsWith(`${command} `) ? line.slice(command.length + 1).split(' ') : null;
  if (line === 'kv namespace list') return [true, JSON.stringify(namespaces, null, 2)];
  if (line === 'r2 bucket list')
    return [true, `Listing buckets...\n${labelled(Object.keys(buckets).slice(0, BUCKETS_A_PAGE))}`];
  if (line === 'secret list') {
    if (secrets === null) return [false, '✘ [ERROR] Worker "email-verification" not found.'];
    return [true, JSON.stringify(Object.keys(secrets).map((name) => ({ name, type: 'secret_text' })))];
  }
  const [title] = called('kv namespace create') ?? [];
  if (title !== undefined) {
    namespaces.push({ id: String(namespaces.length + 1).padStart(32, 'a'), title });
    return [true, '✨ Success!'];
  }
  const [bucket] = called('r2 bucket create') ?? [];
  if (bucket !== undefined) {
    if (bucket in buckets)
      return [false, '✘ [ERROR] The bucket you tried to create already exists, and you own it. [code: 10004]'];
    buckets[bucket] = [];
    return [true, `Creating bucket '${bucket}'...`];
  }
  const [listed] = called('r2 bucket lifecycle list') ?? [];
  const [changed, rule] = called('r2 bucket lifecycle add') ?? [];
  const rules = buckets[listed ?? changed ?? ''];
  if (listed !== undefined && rules)
    return [true, `Listing lifecycle rules for bucket '${listed}'...\n${labelled(rules)}`];
  if (rule !== undefined && rules) {
    rules.push(rule);
    return [true, '✨ Added lifecycle rule'];
  }
  const [asked] = called('queues info') ?? [];
  if (asked !== undefined)
    return queues.includes(asked)
      ? [true, `Queue Name: ${asked}`]
      : [false, `✘ [ERROR] Queue "${asked}" does not exist. To create it, run: wrangler queues create ${asked}`];
  const [queue] = called('queues create') ?? [];
  if (queue !== undefined) {
    if (queues.includes(queue)) return [false, `✘ [ERROR] Queue name '${queue}' is already taken. [code: 11009]`];
    queues.push(queue);
    return [true, `✅ Created queue '${queue}'`];
  }
  const [secret] = called('secret put') ?? [];
  if (secret !== undefined) {
    account.secrets = { ...secrets, [secret]: input };
    return [true, '🌀 Creating the secret for the Worker "email-verification"'];
  }
  if (words[0] === 'deploy' || words[0] === 'run') return [true, 'Done'];
  return [false, `✘ [ERROR] Unknown arguments: ${line}`];
}
