import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** `npm run proof` writes the page: a fresh clone has none. */
const PROOF = existsSync(join(import.meta.dirname, '../proof.md')) ? [{ text: 'Proof', link: '/proof' }] : [];

/** The four kinds of page that readers look for, in this order. Every page stands in one of them. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: 'Get started',
    items: [
      { text: 'What this service does', link: '/' },
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
      { text: 'Connect your mail service', link: '/mail-services/' },
      { text: 'Amazon SES', link: '/mail-services/ses' },
      { text: 'SendGrid', link: '/mail-services/sendgrid' },
      { text: 'Postmark', link: '/mail-services/postmark' },
      { text: 'Mailgun', link: '/mail-services/mailgun' },
      { text: 'Resend', link: '/mail-services/resend' },
      { text: 'Learn from outcomes', link: '/guides/learn-from-outcomes' },
      { text: 'Use it from an agent', link: '/guides/use-it-from-an-agent' },
      { text: 'Run it yourself', link: '/guides/run-it-yourself' },
      { text: 'Deploy it', link: '/deploying' },
      { text: 'Rotate keys and secrets', link: '/guides/rotate' },
      { text: 'Operate it', link: '/operations' },
      { text: 'Watch it', link: '/guides/watch-it' },
      { text: 'Back up and restore', link: '/guides/back-up-and-restore' },
      { text: 'Staging, domains and rolling back', link: '/guides/staging-and-rollback' },
      { text: 'Upgrade it', link: '/guides/upgrade' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'The API', link: '/api/' },
      { text: 'The calls', link: '/calls' },
      { text: 'What an answer means', link: '/answers' },
      { text: 'Policies', link: '/policies' },
      { text: 'Files', link: '/bulk' },
      { text: 'The sandbox', link: '/sandbox' },
      { text: 'The client library', link: '/reference/client' },
      { text: 'MCP', link: '/mcp' },
      { text: 'The local stack', link: '/local-stack' },
      { text: 'Limits', link: '/limits' },
      { text: 'Settings', link: '/configuration' },
      { text: 'Costs', link: '/costs' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
  {
    text: 'Explanation',
    items: [
      { text: 'What evidence is worth', link: '/evidence' },
      { text: 'How far to trust the number', link: '/explanation/how-far-to-trust-it' },
      { text: 'What is read from a bounce', link: '/explanation/bounces' },
      { text: 'Whom the service asks, and why', link: '/explanation/router' },
      { text: 'What survives what', link: '/explanation/object' },
      { text: 'Privacy', link: '/privacy' },
      ...PROOF,
      { text: 'Decisions', link: '/decisions' },
    ],
  },
];
