import type { Features } from '../api/schema.ts';
import { formatFactor } from './format.ts';
import { label, word } from './vocabulary.ts';

type Piece = NonNullable<Features['evidence']>[number];

/** Names of evidence codes. A missing one shows its code. */
const WORDS: Readonly<Record<string, string>> = {
  typo_domain: 'The domain is a typo of a well-known one',
  impossible: 'Not a valid name at this mailbox provider',
  too_short: 'Too short for this mailbox provider',
  unusual: 'Unusual name at this mailbox provider',
  gibberish: 'Looks like random letters',
  placeholder: 'Looks like a placeholder',
  parked_mail_hosts: 'Mail hosts of a parked domain',
  address_record_only: 'No mail host of its own',
  role: 'Role address',
  digits: 'Digits in the name',
  name_match: 'Matches the person’s name',
  shared_flag: 'Catch-all domain',
  account_bounces: 'Your account bounces more than others',
  account_delivers: 'Your account bounces less than others',
  domain_bounces: 'Others at this domain bounced',
  domain_delivers: 'Others at this domain were delivered',
  list_bounces: 'Others in this list bounced',
  list_delivers: 'Others in this list were delivered',
  neighbours_bound: 'Limit on what other addresses count',
  bounced_before: 'Bounced before',
  full_before: 'Mailbox was full before',
  deferred_before: 'Deferred before',
  delivered_before: 'Delivered before',
  complained_before: 'Complained before',
  confirmed: 'Confirmed by its owner',
  paid: 'Paying customer',
  age: 'Time since then',
};

const PURPOSES: Readonly<Record<string, string>> = {
  signup: 'Used for a signup',
  outbound: 'Outbound mail',
  list_hygiene: 'Part of a list',
};

/** Context for wording a piece of evidence. */
export interface EvidenceSetting {
  readonly purpose: string;
  /** Mailbox provider; null if unknown. */
  readonly host: string | null;
}

export function evidenceText({ code, provider, verdict }: Piece, { purpose, host }: EvidenceSetting): string {
  if (code === 'stranger')
    return host === null ? 'Start: new address, unknown mail host' : `Start: new address at ${host}`;
  if (code === 'purpose') return PURPOSES[purpose] ?? label(purpose);
  if (code === 'answer') {
    const said = word(verdict ?? 'unknown');
    return provider === undefined ? `A provider says “${said}”` : `${label(provider)} says “${said}”`;
  }
  return WORDS[code] ?? label(code);
}

/** A piece of evidence and its effect. */
export interface EvidenceStep {
  readonly text: string;
  /** Log-odds before and after it. */
  readonly from: number;
  readonly to: number;
}

export const probabilityAt = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** The pieces in order. The first is the starting log-odds; each later one moves them to the final number. */
export function evidenceSteps(pieces: readonly Piece[], setting: EvidenceSetting): readonly EvidenceStep[] {
  let reached = 0;
  return pieces.map((piece, at) => {
    const from = at === 0 ? piece.shift : reached;
    reached += piece.shift;
    return { text: evidenceText(piece, setting), from, to: reached };
  });
}

/** Effect on the odds: `× 2.3`, `÷ 4`. */
export function factorText({ from, to }: EvidenceStep): string {
  const factor = Math.exp(Math.abs(to - from));
  if (factor < 1.05) return 'no change';
  return `${to > from ? '×' : '÷'} ${formatFactor(factor)}`;
}
