import type { DeliveryClass } from '../../belief/facts.ts';
import ROWS from './rows.json' with { type: 'json' };

/**
 * What a refusal says about the mailbox; null means it is about the sender, the message or the way, so nothing is learnt of the
 * mailbox.
 */
export type BounceClass = DeliveryClass | null;

/**
 * Words of servers, in the order in which they decide: the first row that matches does. They are read in lower case, without accents,
 * addresses, host names, links and numbers. What is about the sender, the message, its rate or the protocol comes first, whatever the
 * code beside it. No pattern has a repetition inside a repetition.
 */
export interface WordRow {
  readonly class: BounceClass;
  /** A vague word: a code that says something beats it. */
  readonly isWeak?: true;
  readonly words: RegExp;
  readonly source: string;
}

export const WORD_ROWS: readonly WordRow[] = (ROWS.words as readonly StoredRow[]).map(({ words, ...row }) => ({
  ...row,
  words: new RegExp(words.join('|')),
}));

type StoredRow = Omit<WordRow, 'words'> & { readonly words: readonly string[] };
