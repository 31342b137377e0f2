import { type Item, TESTS } from './item.ts';

/** OWASP API Security Top 10, edition of 2023. */
export const OWASP: readonly Item[] = [
  {
    id: 'API1',
    asks: 'Each object that an id leads to is checked for who may reach it.',
    state: 'holds',
    why: 'Only an authorized context reaches an organisation’s data, which is an object of its own. The part *Isolation* asks every route.',
    shownBy: [TESTS.oneOrganisation, TESTS.strangers, TESTS.ownRows],
  },
  {
    id: 'API2',
    asks: 'Who asks is proved, and a proof can’t be guessed, forged or used after its end.',
    state: 'holds',
    why: 'A key carries a MAC of 128 random bits, role and mode; the object knows whether it is alive. People sign in by a link that works once, or a passkey.',
    shownBy: [
      TESTS.badKeys,
      TESTS.keyForm,
      TESTS.secretOnce,
      TESTS.memberKeysDie,
      TESTS.link,
      TESTS.sessionEnds,
      TESTS.tries,
      TESTS.accountHidden,
    ],
  },
  {
    id: 'API3',
    asks: 'A caller reads and changes only the fields that are theirs.',
    state: 'holds',
    why: 'Answers are built field by field from a schema; a field that a request does not take changes nothing.',
    shownBy: [TESTS.misplaced, TESTS.ownRows, TESTS.document],
  },
  {
    id: 'API4',
    asks: 'No caller uses up what costs money, memory or time.',
    state: 'holds',
    why: 'Rates, quotas, budgets for vendors, limits of bodies and files; each wait has an end.',
    shownBy: [TESTS.rate, TESTS.budget, TESTS.endlessBody, TESTS.twoJobs, TESTS.idempotent],
  },
  {
    id: 'API5',
    asks: 'A function is open to its role alone.',
    state: 'holds',
    why: 'Each route declares its least role, and one table asks every route with every role. Operators’ routes take an operator’s key.',
    shownBy: [TESTS.roles, TESTS.personRoles, TESTS.roleFirst, TESTS.noOperatorPath],
  },
  {
    id: 'API6',
    asks: 'A flow of business is not run by machines in a way that harms.',
    state: 'holds',
    why: 'Links for signing in are counted by network and by address; organisations are made by invitation or for named domains; deleting one takes a fresh session.',
    shownBy: [TESTS.tries, TESTS.registration, TESTS.freshDelete],
  },
  {
    id: 'API7',
    asks: 'The service fetches no address that a caller names.',
    state: 'holds',
    why: 'Hosts come from settings. The one URL that a webhook brings is not followed: the topic’s own service is asked. Redirects are not followed.',
    shownBy: [TESTS.confirm, TESTS.certificate],
  },
  {
    id: 'API8',
    asks: 'Headers, methods, errors and settings are as strict as they can be.',
    state: 'holds',
    why: 'No answer is cached on the way, none is framed; a bug shows nothing of itself; a wrong setting is named at the start.',
    shownBy: [TESTS.notCached, TESTS.methods, TESTS.headers, TESTS.setting, TESTS.mcpQuiet],
  },
  {
    id: 'API9',
    asks: 'All that is served is known and documented.',
    state: 'holds',
    why: 'A route is mounted from its declaration, and the document is made from the same declarations.',
    shownBy: [TESTS.document, TESTS.closedPaths],
  },
  {
    id: 'API10',
    asks: 'What other services answer is trusted no more than a caller’s request.',
    state: 'holds',
    why: 'Answers of vendors, resolvers and mail services have a size, a deadline and a schema; webhooks have a signature.',
    shownBy: [TESTS.forged, TESTS.confirm, TESTS.vendorFaults],
  },
];
