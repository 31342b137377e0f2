import type { OpenInvitation } from '../../api/people.ts';
import type { AuditLog } from '../../api/schema.ts';
import { capital, label } from '../../lib/vocabulary.ts';
import { SERVICES } from '../connections/services.ts';
import { RULE_LIST } from './target-link.ts';

type Entry = AuditLog['entries'][number];

interface EntryWords {
  readonly name: string;
  /** Stands below it; empty: nothing does. */
  readonly more: string;
}

/** `key.created` as `Key created`. */
export const actionName = (action: string): string => label(action.replace('.', '_'));

/** A mail service by its name, in a summary that begins with its id: `resend: new secret`. */
const serviceOf = (summary: string): string | undefined =>
  Object.entries(SERVICES).find(([kind]) => summary.split(':')[0] === kind)?.[1].name;

/** An invitation by its address, else by its role, else by its id. */
function invitationWords({ target, summary }: Entry, open: readonly OpenInvitation[]): EntryWords {
  const role = /^role (\w+)$/.exec(summary)?.[1];
  const as = role === undefined ? '' : `as ${role}`;
  const email = open.find(({ id }) => id === target)?.email;
  return email === undefined
    ? { name: `An invitation ${as}`.trim(), more: `…${target.slice(-6)}` }
    : { name: email, more: capital(as) };
}

/** What an entry is about and what is said of it. `open`: the invitations that are open, which alone keep their address. */
export function entryWords(entry: Entry, open: readonly OpenInvitation[]): EntryWords {
  const { action, target, summary } = entry;
  const more = capital(summary);
  const [, kind, side] = RULE_LIST.exec(target) ?? [];
  if (kind !== undefined) return { name: capital(`${kind} ${side} list`), more };
  const [group = ''] = action.split('.');
  switch (group) {
    case 'invitation':
      return invitationWords(entry, open);
    case 'connection':
      return {
        name: serviceOf(summary) ?? 'A connection',
        more: [capital(summary.split(': ')[1] ?? ''), `…${target.slice(-6)}`].filter((part) => part !== '').join(', '),
      };
    case 'organisation':
      return { name: more === '' ? 'The organisation' : more, more: '' };
    case 'address':
      return { name: 'An address', more };
    case 'losses':
      return { name: 'Losses', more };
    default:
      return { name: target, more };
  }
}
