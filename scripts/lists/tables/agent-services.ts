import type { NamedRow } from './row.ts';

/** Services that give software agents mailboxes at a domain of their own, each with where it says so. */
export const AGENT_SERVICES: readonly NamedRow[] = [
  { who: 'AgentMail', names: 'agentmail.to', reason: 'docs.agentmail.to, "Create Inbox": the default domain' },
  {
    who: 'LobsterMail',
    names: 'lobstermail.ai',
    reason: 'lobstermail.ai/skill: inboxes for agents, made without a human',
  },
  { who: 'Lobster Email', names: 'lobster.email', reason: 'Its agent skill: addresses for agents at lobster.email' },
  {
    who: 'Robotomail',
    names: 'robotomail.co',
    reason: 'robotomail.com/docs, "Mailboxes": the shared domain of free accounts',
  },
  { who: 'AgentSend', names: 'agentsend.io', reason: 'agentsend.io/docs/api/inboxes: the shared domain' },
  { who: 'AgentPost', names: 'shared.agent-post.dev', reason: 'docs.agent-post.dev, "Inboxes": the shared domain' },
  { who: 'Agents Mail', names: 'agentsmail.org', reason: 'Its API reference: an address for each registered agent' },
  { who: 'MailMolt', names: 'mailmolt.com', reason: 'Its agent skill: agent-name@mailmolt.com' },
  { who: 'Agnic', names: 'agent.agnic.ai', reason: 'docs.agnic.ai, "Agent Email": agent-{id}@agent.agnic.ai' },
  {
    who: 'coss',
    names: 'inbound.coss.com',
    reason: 'coss.com/docs, "Give an AI agent its own email address": the managed domain',
  },
];
