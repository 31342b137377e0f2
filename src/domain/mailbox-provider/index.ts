export { classifyMailHosts, type MailboxProvider, type MailHostFacts } from './classify.ts';
