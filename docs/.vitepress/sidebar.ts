import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const DOCS = join(import.meta.dirname, '..');

/** `npm run proof` writes the page: a fresh clone has none. */
const PROOF = existsSync(join(DOCS, 'proof.md')) ? [{ text: 'Proof', link: '/proof' }] : [];

/** The records, by their numbers. */
const DECISIONS = readdirSync(join(DOCS, 'decisions'))
  .filter((file) => /^\d/.test(file))
  .sort()
  .map((file) => ({
    text: /^# (.+)$/m.exec(readFileSync(join(DOCS, 'decisions', file), 'utf8'))?.[1] ?? file,
    link: `/decisions/${file.replace('.md', '')}`,
  }));

/** The four kinds of page that readers look for, in this order. Every page stands in one of them. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: 'Get started',
    items: [
      { text: 'Start here', link: '/' },
      { text: 'A signup form in ten minutes', link: '/start/signup-form' },
      { text: 'Clean a file', link: '/start/clean-a-file' },
      { text: 'Read the number', link: '/start/read-the-number' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Protect a signup', link: '/guides/protect-a-signup' },
      { text: 'Clean a list', link: '/guides/clean-a-list' },
      { text: 'Write a policy', link: '/guides/write-a-policy' },
      { text: 'Learn from outcomes', link: '/guides/learn-from-outcomes' },
      {
        text: 'Connect your mail service',
        link: '/mail-services/',
        collapsed: true,
        items: [
          { text: 'Amazon SES', link: '/mail-services/ses' },
          { text: 'SendGrid', link: '/mail-services/sendgrid' },
          { text: 'Postmark', link: '/mail-services/postmark' },
          { text: 'Mailgun', link: '/mail-services/mailgun' },
          { text: 'Resend', link: '/mail-services/resend' },
        ],
      },
      { text: 'Use it from an agent', link: '/guides/use-it-from-an-agent' },
    ],
  },
  {
    text: 'Run the service',
    items: [
      { text: 'Run it yourself', link: '/guides/run-it-yourself' },
      { text: 'Deploy it', link: '/deploying' },
      { text: 'Operate it', link: '/operations' },
      { text: 'Watch it', link: '/guides/watch-it' },
      { text: 'Sign in with a second factor', link: '/guides/second-factor' },
      { text: 'Rotate keys and secrets', link: '/guides/rotate' },
      { text: 'Back up and restore', link: '/guides/back-up-and-restore' },
      { text: 'Staging, domains and rolling back', link: '/guides/staging-and-rollback' },
      { text: 'Upgrade it', link: '/guides/upgrade' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'The API', link: '/api/' },
      { text: 'Errors', link: '/errors' },
      { text: 'Requests, repeats and limits', link: '/reference/requests' },
      { text: 'Verifications', link: '/reference/verification' },
      { text: 'Screening', link: '/reference/screening' },
      { text: 'Policies and decisions', link: '/policies' },
      { text: 'Files', link: '/bulk' },
      { text: 'Rule lists', link: '/reference/rules' },
      { text: 'Outcomes and calibration', link: '/reference/outcomes' },
      { text: 'Segments', link: '/reference/segments' },
      { text: 'Traces', link: '/reference/traces' },
      { text: 'People, keys and audit', link: '/reference/people' },
      { text: 'The sandbox', link: '/sandbox' },
      { text: 'The client library', link: '/reference/client' },
      { text: 'MCP', link: '/mcp' },
      { text: 'Limits', link: '/limits' },
      { text: 'Settings', link: '/configuration' },
      { text: 'The local stack', link: '/local-stack' },
      { text: 'Storage', link: '/storage' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
  {
    text: 'Explanation',
    items: [
      { text: 'Where the number comes from', link: '/explanation/number' },
      { text: 'What evidence is worth', link: '/evidence' },
      { text: 'How far to trust the number', link: '/explanation/how-far-to-trust-it' },
      { text: 'What is promised', link: '/trust' },
      { text: 'What is read from a bounce', link: '/explanation/bounces' },
      { text: 'Whom the service asks, and why', link: '/explanation/router' },
      { text: 'What survives what', link: '/explanation/object' },
      { text: 'Privacy', link: '/privacy' },
      { text: 'Beside other libraries', link: '/peers' },
      { text: 'Costs', link: '/costs' },
      ...PROOF,
      { text: 'Decisions', link: '/decisions/', collapsed: true, items: DECISIONS },
    ],
  },
];
