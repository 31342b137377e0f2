/** Read as the dot between labels (RFC 3490 §3.1). */
const DOT = /^[。．｡]$/u;
/** The deviations: IDNA 2003 folded them, IDNA 2008 takes them for letters of their own. */
const DEVIATION = /^[ßς]$/u;
/** Cherokee alone folds to upper case: it was written so before Unicode had its small letters. */
const CHEROKEE = /^\p{Script=Cherokee}$/u;

/**
 * The mapping of UTS 46 (§4, steps 1 and 2; non-transitional), which is the NFKC case folding: case, width, `。` as a dot. What
 * it would drop or disallow stays as it is, for the code point rules to refuse.
 */
export const mapName = (name: string): string => name.replace(/[A-Z]|[^\0-\x7F]/gu, mapCharacter).normalize('NFC');

function mapCharacter(character: string): string {
  if (DOT.test(character)) return '.';
  if (DEVIATION.test(character)) return character;
  const letters = character.normalize('NFKC');
  // `⒈` and its like: a dot that is drawn together with something else separates nothing.
  return letters.includes('.') ? character : Array.from(letters, foldCase).join('');
}

/** Upper case first: `ᾳ` and the like are two letters only there. But `I` is not what `ı` is folded by. */
const foldCase = (letter: string): string =>
  CHEROKEE.test(letter) ? letter.toUpperCase() : letter === 'ı' ? letter : letter.toUpperCase().toLowerCase();
