/**
 * Words that names of services end in, so often that another word or letter before one is a name of its own (`zcloud`),
 * although its letters are rare together. Each with how many of 3,931 names end in it, counted among the brands of simple-icons
 * and the Moz Top 500.
 */
const ENDING: Readonly<Record<string, number>> = {
  net: 13,
  box: 11,
  cloud: 10,
  post: 7,
  space: 7,
  web: 6,
  link: 4,
  cast: 3,
  stream: 3,
};
const COUNTED = 3_931;

/** Words a name ends in, each with ln P(a name does). */
export const NAME_HEADS: readonly (readonly [word: string, log: number])[] = Object.entries(ENDING).map(
  ([word, names]) => [word, Math.log(names / COUNTED)],
);
