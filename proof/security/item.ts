/** A test that shows a claim: its file, and its title as it stands there. */
export type Shown = readonly [file: string, title: string];

/**
 * `holds`: a test shows it. `by others`: the platform or a library does it, and no code here. `not there`: the thing that it is
 * about does not exist here. `in part` and `no` say what is missing.
 */
export type State = 'holds' | 'by others' | 'not there' | 'in part' | 'no';

export interface Item {
  /** As its list numbers it; several where one reason is that of all: `V6.2.1-12`. */
  readonly id: string;
  /** The requirement in our words. */
  readonly asks: string;
  readonly state: State;
  readonly why: string;
  readonly shownBy?: readonly Shown[];
}

/** The tests that are named below, each once. */
export const TESTS = {
  oneOrganisation: ['test/http/dashboard-ids.test.ts', 'is answered as one that never was: $called'],
  strangers: ['test/http/security.test.ts', 'is not there for %s'],
  roles: ['test/http/security.test.ts', 'lets a key of role %s in as declared, and no further'],
  personRoles: ['test/http/security.test.ts', 'lets a person of role %s in as a key of that role, and no further'],
  badKeys: ['test/http/security.test.ts', 'answers 401 to %s'],
  roleFirst: ['test/http/security.test.ts', 'settles the role before it looks at the body'],
  methods: ['test/http/security.test.ts', 'answers 405 with Allow to another method on $route.path'],
  notCached: ['test/http/security.test.ts', 'an answer is not cached on the way'],
  endlessBody: ['test/http/bad-input.test.ts', 'stops reading an endless body'],
  wrongField: ['test/http/bad-input.test.ts', '%s %j is named by its path, without its value'],
  wrongPath: ['test/http/bad-input.test.ts', 'a path that cannot be decoded is 404 or 400, never 500'],
  misplaced: [
    'test/http/misplaced-fields.test.ts',
    'is 400, and the message names where it belongs: $method $route.path',
  ],
  numbers: [
    'test/http/numbers.test.ts',
    'a number that is not an integer, or past every bound, is not a failure of the service',
  ],
  rate: ['test/http/check.test.ts', 'says what is left of the rate, and refuses with Retry-After beyond it'],
  budget: ['test/http/provider-budget.test.ts', 'is not passed by requests side by side'],
  idempotent: ['test/http/providers.test.ts', 'a hundred requests with one Idempotency-Key, side by side'],
  states: ['test/http/bulk-states.test.ts', 'is left as it is by what it does not allow'],
  ownRows: [
    'test/http/traces.test.ts',
    'shows a manual or service key below admin its own rows, whatever filter it passes',
  ],
  secretOnce: ['test/http/access.test.ts', 'are made, used, rotated and revoked; the secret is shown once'],
  memberKeysDie: [
    'test/http/access.test.ts',
    'end with their person’s membership, and so does a key that such a key has made',
  ],
  audit: ['test/http/access.test.ts', 'has every administrative change, and neither secrets nor addresses'],
  freshDelete: ['test/http/access.test.ts', 'is deleted by a person who has just signed in alone'],
  vendorFaults: [
    'test/long/providers.test.ts',
    'of all vendors at once: the prior, degraded, and each failure in the trace',
  ],
  confirm: [
    'test/unit/feedback/mail-services.test.ts',
    'begins a subscription at the topic’s own service, whatever URL the message brings',
  ],
  certificate: ['test/unit/feedback/mail-services.test.ts', 'is fetched once for many messages'],
  forged: [
    'test/http/mail-services.test.ts',
    'changes nothing when it is forged, cut, too large or for a removed connection',
  ],
  document: ['test/http/docs.test.ts', '/openapi.json is the committed document'],
  keyForm: ['test/unit/access/key-format.test.ts', 'refuses every key with a single other character at any position'],
  keyRotation: [
    'test/unit/access/key-format.test.ts',
    'keeps keys of the previous secrets valid, until the secret is dropped',
  ],
  hmac: ['test/unit/kernel/keyed-hash.test.ts', 'are HMAC-SHA-256 (RFC 4231, case 2)'],
  sealed: [
    'test/unit/kernel/sealed-text.test.ts',
    'a sealed text opens for its owner under its key, and shows nothing of itself',
  ],
  randomBytes: ['test/unit/kernel/ids.test.ts', 'never come twice, whatever is asked for between'],
  logNoAddress: ['test/unit/kernel/log.test.ts', 'no part of an address, wherever the message is cut'],
  logNoParameter: ['test/unit/kernel/log.test.ts', 'no parameter of a statement, in its causes either'],
  link: ['test/db/dashboard.test.ts', 'signs in once, and only by the button: looking at it uses nothing up'],
  linkOver: ['test/db/dashboard.test.ts', 'is over after ten minutes where it is mailed'],
  sessionMax: ['test/db/dashboard-factors.test.ts', 'ends 30 days after its person signed in, however it is used'],
  factor: ['test/db/dashboard-factors.test.ts', 'is asked for once it is set up: a link alone opens nothing'],
  codeOnce: ['test/db/dashboard-factors.test.ts', 'takes a code once, and five tries in a quarter of an hour'],
  backupCode: ['test/db/dashboard-factors.test.ts', 'is replaced by a backup code, once, when it is lost'],
  factorFresh: [
    'test/db/dashboard-factors.test.ts',
    'is set up and taken away by a fresh session alone, and is kept sealed',
  ],
  factorRequired: [
    'test/http/access.test.ts',
    'may be required by an organisation: then it opens for sessions that have proved one, and for keys',
  ],
  linkHash: ['test/db/dashboard.test.ts', 'is in Postgres only as its hash'],
  accountHidden: ['test/db/dashboard.test.ts', 'shows in neither the answer nor the statements before it'],
  tries: ['test/db/dashboard.test.ts', 'hold one network, at once too'],
  otherSite: ['test/db/dashboard.test.ts', 'changes nothing: %s'],
  otherSiteReads: ['test/db/dashboard.test.ts', 'reads nothing, with the person’s cookie'],
  noHeader: [
    'test/db/dashboard.test.ts',
    'is named to the API by the person’s id: no header and no cookie of the browser goes along',
  ],
  sessionEnds: [
    'test/db/dashboard.test.ts',
    'opens nothing when it was signed with another secret, has ended or has expired',
  ],
  sessionOwn: [
    'test/db/dashboard.test.ts',
    'is listed without its token, and ended by its own person alone, from the next request on',
  ],
  passkeyOwn: ['test/db/dashboard.test.ts', 'reaches no passkey of another person'],
  closedPaths: ['test/db/dashboard.test.ts', '%s %s is closed, to who is signed in too'],
  nonce: ['test/db/dashboard.test.ts', 'a page has a policy of its own nonce, and runs no script of its text'],
  headers: [
    'test/db/dashboard.test.ts',
    'every answer says that it is framed nowhere, kept nowhere and reached by HTTPS alone: %s',
  ],
  signInLogged: [
    'test/db/dashboard.test.ts',
    'leaves a line in the log that names the person by id, and one where it failed',
  ],
  setting: ['test/db/dashboard.test.ts', 'a wrong setting takes the dashboard away without naming it'],
  registration: [
    'test/db/dashboard.test.ts',
    'is closed to who was not invited: no link, no person, and no address kept',
  ],
  operators: ['test/db/dashboard-operator.test.ts', 'refuses whom the API does not take for an operator'],
  noOperatorPath: [
    'test/db/dashboard-operator.test.ts',
    'has no other way in: the API’s operator routes are at no path of the dashboard',
  ],
  membershipEnds: [
    'test/http/dashboard-binding.test.ts',
    'whose membership ended is refused from the next request on, while Postgres is away too',
  ],
  claims: ['test/http/dashboard-binding.test.ts', 'is never made of what a request says'],
  hostile: ['test/long/dashboard-attacks.test.ts', 'runs on no screen, and shows as what it is: %s'],
  hostileLink: [
    'test/long/dashboard-attacks.test.ts',
    'in the address of a page leads to no other site and to no script',
  ],
  framed: ['test/long/dashboard-attacks.test.ts', 'at %s reads nothing, changes nothing and frames nothing'],
  passkey: ['test/long/dashboard.test.ts', 'signs in with a passkey, made here'],
  formula: [
    'test/http/bulk-paste.test.ts',
    'of pasted addresses contains no formula for a spreadsheet to run, and each is checked as pasted',
  ],
  fileGone: ['test/night/bulk-retention.test.ts', 'no cell is left in any store once %s'],
  csvCells: ['test/unit/bulk/csv/compose.test.ts', 'quotes a cell that holds what parts cells, rows or quotes'],
  twoJobs: [
    'test/http/bulk.test.ts',
    'lets two jobs run and the third wait for its turn; a cancelled one gives its place up',
  ],
  privacyPage: [
    'test/unit/privacy/page.test.ts',
    'has no sentence that nothing holds, and nothing holds one that it lacks',
  ],
  forget: ['test/http/forget.test.ts', 'no store holds a byte about the person, a live bulk file aside'],
  retention: ['test/night/retention.test.ts', 'is enforced by the night in every store, for this account alone'],
  postgresAway: ['test/http/postgres-away.test.ts', 'a leaked key is revoked, and refused from the next request on'],
  storesAway: ['test/http/stores-away.test.ts', 'a store that is away is an outage and no bug'],
  noUrlAddress: ['dashboard/test/log.test.tsx', 'finds the judgements of an address, which is in no URL and no store'],
  secretsMade: [
    'test/unit/deployment/provision.test.ts',
    'has 32 random bytes when generated, is stored only for its owner, and reaches the Worker unchanged',
  ],
  mcpQuiet: [
    'test/contract/mcp.test.ts',
    'leaves a bug between it and a tool to the error handler: the protocol shows nothing of it',
  ],
  downloadName: [
    'test/http/bulk.test.ts',
    'goes in, is verified once an address, and comes back with a result on every row',
  ],
  redirect: ['test/unit/screening/model/faults.test.ts', 'by %s costs its label and no more'],
  noMail: ['test/db/dashboard.test.ts', 'sends no link where no mail service is set, to a member or to a stranger'],
  requestLine: ['test/http/security.test.ts', 'has a line of a request for %s, without its path'],
  unreached: ['test/http/privacy.test.ts', 'is answered 503 while the object is out of reach'],
} as const satisfies Readonly<Record<string, Shown>>;
