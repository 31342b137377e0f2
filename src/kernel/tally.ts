/** How often each word occurs. A word that never does is left out. */
export type Tally<K extends string> = Readonly<Partial<Record<K, number>>>;

export function tally<K extends string>(words: readonly K[]): Tally<K> {
  const counts: Partial<Record<K, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
