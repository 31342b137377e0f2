import type { ShownVerification } from './answer-shown.ts';
import type { Concluded } from './assess.ts';

/** An answer as it is kept for a repeat, which brings the address again: neither that nor a correction of it is stored. */
export type KeptVerification = ShownVerification & { readonly meantDomain?: string };

export const keptOf = ({ answer, facts: { meantDomain } }: Pick<Concluded, 'answer' | 'facts'>): KeptVerification => ({
  ...answer,
  ...(meantDomain === null ? {} : { meantDomain }),
});
