import type { Features } from '../api/schema.ts';
import { formatFactor } from './format.ts';
import { label, word } from './vocabulary.ts';

type Piece = NonNullable<Features['evidence']>[number];

/** What a piece of evidence is called. One that is not here shows its code. */
const WORDS: Readonly<Record<string, string>> = {
  typo_domain: 'The domain is a slip of a well-known one',
  impossible: 'Its provider never gave out such a name',
  too_short: 'Its provider hardly ever gave out so short a name',
  unusual: 'Its provider seldom gives out such a name',
  gibberish: 'The name looks like random letters',
  placeholder: 'The name looks like a placeholder',
  parked_mail_hosts: 'The mail hosts belong to a parked domain',
  address_record_only: 'The domain has no mail host of its own',
  role: 'It is a role address',
  digits: 'The name has a digit in it',
  name_match: 'The name of the person fits the address',
  shared_flag: 'Whether the domain accepts every address',
  account_bounces: 'Addresses of your account bounce more than others',
  account_delivers: 'Addresses of your account bounce less than others',
  domain_bounces: 'Other addresses of the domain bounced',
  domain_delivers: 'Other addresses of the domain took mail',
  list_bounces: 'Other addresses of the list bounced',
  list_delivers: 'Other addresses of the list took mail',
  neighbours_bound: 'Other addresses count up to a bound',
  bounced_before: 'Mail to it bounced before',
  full_before: 'Its mailbox was full before',
  deferred_before: 'Mail to it was deferred before',
  delivered_before: 'Mail to it was delivered before',
  complained_before: 'Its owner complained of mail before',
  confirmed: 'Its owner confirmed the address',
  paid: 'Its owner paid',
  age: 'Time has passed since',
};

const PURPOSES: Readonly<Record<string, string>> = {
  signup: 'A person signs up with it',
  outbound: 'Mail goes out to it',
  list_hygiene: 'It stands in a list',
};

/** What the evidence is about, beside its code. */
export interface EvidenceSetting {
  readonly purpose: string;
  /** Who takes the domain's mail; null means not known. */
  readonly host: string | null;
}

/** A piece of evidence in a few words. */
export function evidenceText({ code, provider, verdict }: Piece, { purpose, host }: EvidenceSetting): string {
  if (code === 'stranger')
    return host === null ? 'Start: a new address at an unknown mail host' : `Start: a new address at ${host}`;
  if (code === 'purpose') return PURPOSES[purpose] ?? label(purpose);
  if (code === 'answer') {
    const said = word(verdict ?? 'unknown');
    return provider === undefined ? `A provider says “${said}”` : `${label(provider)} says “${said}”`;
  }
  return WORDS[code] ?? label(code);
}

/** A trace's evidence, with the probability that each piece led to. */
export interface EvidenceStep {
  readonly text: string;
  /** Log-odds before and after it. */
  readonly from: number;
  readonly to: number;
}

export const probabilityAt = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** The pieces in their order. The first is where the log-odds begin; each of the others moves them, and the last reaches the number. */
export function evidenceSteps(pieces: readonly Piece[], setting: EvidenceSetting): readonly EvidenceStep[] {
  let reached = 0;
  return pieces.map((piece, at) => {
    const from = at === 0 ? piece.shift : reached;
    reached += piece.shift;
    return { text: evidenceText(piece, setting), from, to: reached };
  });
}

/** `× 2.3`, `÷ 4`: what a piece makes of the odds. */
export function factorText({ from, to }: EvidenceStep): string {
  const factor = Math.exp(Math.abs(to - from));
  if (factor < 1.05) return 'no change';
  return `${to > from ? '×' : '÷'} ${formatFactor(factor)}`;
}
