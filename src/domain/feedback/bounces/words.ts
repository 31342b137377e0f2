import type { DeliveryClass } from '../../belief/facts.ts';
import ROWS from './rows.json' with { type: 'json' };

/** What a refusal says about the mailbox; null means it concerns the sender, the message or the route. */
export type BounceClass = DeliveryClass | null;

/**
 * Words of servers in order of precedence: the first match decides. Input is lower case, without accents, addresses,
 * host names, links and numbers. The sender, the message, its rate and the protocol come first, whatever the code. No
 * pattern nests repetitions.
 */
export interface WordRow {
  readonly class: BounceClass;
  /** A vague word, beaten by a specific code. */
  readonly isWeak?: true;
  readonly words: RegExp;
  readonly source: string;
}

export const WORD_ROWS: readonly WordRow[] = (ROWS.words as readonly StoredRow[]).map(({ words, ...row }) => ({
  ...row,
  words: new RegExp(words.join('|')),
}));

type StoredRow = Omit<WordRow, 'words'> & { readonly words: readonly string[] };
