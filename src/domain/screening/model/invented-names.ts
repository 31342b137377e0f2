interface InventedRow {
  /** Parted by `|`, lower case, without marks. */
  readonly names: string;
  readonly reason: string;
}

/**
 * Well-known invented figures. An address made of such a name does not make the name a person's. Names that people bear as
 * well (James Bond, Peter Pan, Homer Simpson, Ronald McDonald) stay out: where the address agrees, a person is called so.
 */
const ROWS: readonly InventedRow[] = [
  {
    names: `mickey mouse|minnie mouse|donald duck|daisy duck|scrooge mcduck|micky maus|dagobert duck|tinker bell|winnie pooh|
      winnie the pooh|captain hook|cruella de vil`,
    reason: 'Disney; the usual names of people who hide theirs',
  },
  {
    names: `bugs bunny|daffy duck|porky pig|elmer fudd|tweety bird|fred flintstone|wilma flintstone|scooby doo|yogi bear|
      betty boop|spongebob squarepants|hello kitty|
      kermit the frog|miss piggy`,
    reason: 'Cartoons and puppets',
  },
  {
    names: `darth vader|luke skywalker|anakin skywalker|leia organa|obi wan kenobi|
      frodo baggins|bilbo baggins|albus dumbledore|severus snape|draco malfoy|lord voldemort|
      katniss everdeen|super mario`,
    reason: 'Films, novels and games',
  },
  {
    names: 'sherlock holmes|humpty dumpty|pippi longstocking|pippi langstrumpf|count dracula',
    reason: 'Books, tales and advertising',
  },
  {
    names: 'santa claus|father christmas|easter bunny|tooth fairy|pere noel|papa noel|babbo natale|ded moroz',
    reason: 'Figures of the feasts of the year, in several languages',
  },
];

/** The words of a name in any order, as a family name may stand first. */
const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ');

const INVENTED: ReadonlySet<string> = new Set(ROWS.flatMap(({ names }) => names.split('|').map(keyOf)));

export const isInventedName = (name: string): boolean => INVENTED.has(keyOf(name));
