/** Groups of operations in the order of the page, by what follows `/v1/` in their paths. */
export const TAGS: readonly {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
}[] = [
  {
    name: 'Addresses',
    description: 'Verify, check, screen and decide about one address.',
    paths: ['verify', 'check', 'screen', 'screenings', 'decide'],
  },
  {
    name: 'Bulk',
    description:
      'A CSV in, the same CSV back with a result on every row. Each unique address counts as one verification. Files are kept 7 days. Two jobs run at once; more are queued.',
    paths: ['bulk'],
  },
  {
    name: 'Policies',
    description:
      'What decides: rules over the verification, screening, enrichment and what you send along; and what mistakes cost you, which recommendations follow from.',
    paths: ['policies', 'losses'],
  },
  {
    name: 'Rule lists',
    description:
      'The account’s own blocklists and allowlists. A domain rule covers its subdomains, the most specific wins; an address rule beats any domain rule. In force from the next request on. Up to 10,000 rules of each kind.',
    paths: ['domains', 'addresses'],
  },
  {
    name: 'Feedback',
    description: 'What became of a message or a signup, and what that shows.',
    paths: ['outcome', 'outcomes', 'events', 'connections', 'segments', 'recommendations', 'calibration'],
  },
  {
    name: 'Privacy',
    description: 'Who gets what, and how long it is kept.',
    paths: ['subprocessors', 'retention'],
  },
  {
    name: 'Administration',
    description:
      'The account’s keys, people and settings, and who changed what. Test keys are refused. Every change but those of connections works while the database is away.',
    paths: ['keys', 'organisation', 'alerts', 'members', 'membership', 'invitations', 'audit'],
  },
  { name: 'Inspection', description: 'What was decided, and what was used.', paths: ['traces', 'me', 'usage'] },
];

/** Paths without a row, and those outside `/v1`. */
const OTHER = { name: 'Service', description: 'The service itself.', paths: [] };
const WEBHOOKS = {
  name: 'Webhooks',
  description:
    'Where mail services and payment processors report by themselves. You give them the address of a connection.',
  paths: [],
};
const OPERATOR = {
  name: 'Operator',
  description:
    'For the people who run the service: organisations, keys, limits, its state. Operator keys alone may call it.',
  paths: [],
};
const OUTSIDE: Readonly<Record<string, (typeof TAGS)[number]>> = { integrations: WEBHOOKS, operator: OPERATOR };

export const tagOf = (path: string): (typeof TAGS)[number] => {
  const [, root = '', first = ''] = path.split('/');
  return (root === 'v1' ? TAGS.find(({ paths }) => paths.includes(first)) : OUTSIDE[root]) ?? OTHER;
};

export const usedTags = (paths: readonly string[]): readonly { name: string; description: string }[] =>
  [...TAGS, WEBHOOKS, OPERATOR, OTHER]
    .filter((tag) => paths.some((path) => tagOf(path) === tag))
    .map(({ name, description }) => ({ name, description }));
