/** Where a value stands in a text of JSON, in characters. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Fault {
  /** `rules[2].when.path`; empty: the problem says what it is about. */
  readonly at: string;
  readonly problem: string;
  readonly place: Place | null;
  /** From 1. */
  readonly line: number | null;
}

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
