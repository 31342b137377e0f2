import { formatList } from '../../lib/format.ts';

/** How many letters have to change for one word to become the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [place, each] of Array.from(other).entries())
      next.push(
        Math.min((row[place] ?? 0) + (letter === each ? 0 : 1), (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** No word of ours is half as long, and comparing takes the product of both lengths. */
const LONGEST = 100;

/** A word with more letters wrong than one in so many is another word. */
const LETTERS_FOR_A_SLIP = 3;

function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const end = known.find((each) => each.endsWith(`.${word}`));
  const [best] = known
    .map((each) => ({ each, far: distance(word.toLowerCase(), each) }))
    .toSorted((one, other) => one.far - other.far);
  return end ?? (best !== undefined && best.far <= word.length / LETTERS_FOR_A_SLIP ? best.each : undefined);
}

const LISTED = 12;

const listed = (known: readonly string[]): string => formatList(known.map((each) => `\`${each}\``));

/** That a word is none of those that are known, with the one that was probably meant. */
export function unknownText(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined
    ? `\`${word}\` is unknown. Use ${listed(known)}`
    : `\`${word}\` is unknown. Did you mean \`${near}\`?`;
}

/** The same of a word that a newer service may know. */
export function unknownHere(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `This page does not know \`${word}\`; the service decides. Did you mean \`${near}\`?`;
  return known.length <= LISTED
    ? `This page does not know \`${word}\`; the service decides. It knows ${listed(known)}`
    : `This page does not know \`${word}\`; the service decides. The form of a rule lists what the page knows`;
}
