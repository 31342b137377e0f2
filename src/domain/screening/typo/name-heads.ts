/**
 * Words that names of services end in, so often that another word or letter before one is a name of its own (`zcloud`),
 * although its letters are rare together. Each with how many of 2,719 names end in it behind something else: those of the
 * domains of simple-icons and the Moz Top 500, each name once.
 */
const ENDING: Readonly<Record<string, number>> = {
  net: 11,
  box: 10,
  cloud: 9,
  post: 6,
  space: 7,
  web: 6,
  link: 3,
  cast: 3,
  stream: 3,
};
const COUNTED = 2_719;

/** Words a name ends in, each with ln P(a name does). */
export const NAME_HEADS: readonly (readonly [word: string, log: number])[] = Object.entries(ENDING).map(
  ([word, names]) => [word, Math.log(names / COUNTED)],
);
