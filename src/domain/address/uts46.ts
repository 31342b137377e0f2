/** Read as the dot between labels (RFC 3490 §3.1). */
const DOT = /^[。．｡]$/u;
/** The deviations: IDNA 2003 folded them, IDNA 2008 keeps them as letters. */
const DEVIATION = /^[ßς]$/u;
/** Only Cherokee folds to upper case: Unicode got its small letters later. */
const CHEROKEE = /^\p{Script=Cherokee}$/u;

/**
 * The mapping of UTS 46 (§4, steps 1 and 2; non-transitional), which is NFKC case folding: case, width, `。` as a dot.
 * Characters that it would drop or disallow stay, so that the code point rules refuse them.
 */
export const mapName = (name: string): string => name.replace(/[A-Z]|[^\0-\x7F]/gu, mapCharacter).normalize('NFC');

function mapCharacter(character: string): string {
  if (DOT.test(character)) return '.';
  if (DEVIATION.test(character)) return character;
  const letters = character.normalize('NFKC');
  // A dot that is part of another character (`⒈`) does not separate labels.
  return letters.includes('.') ? character : Array.from(letters, foldCase).join('');
}

/** Upper case first, because `ᾳ` and the like become two letters only there; but `ı` must not become `I`. */
const foldCase = (letter: string): string =>
  CHEROKEE.test(letter) ? letter.toUpperCase() : letter === 'ı' ? letter : letter.toUpperCase().toLowerCase();
