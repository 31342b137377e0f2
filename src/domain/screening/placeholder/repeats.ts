/** A letter this often in a row is a finger left on the key. */
const SAME_MIN = 4;
/** Each part at least so long: `aaabbb`; not `aabb`, which may be initials. */
const PART_MIN = 3;
/** `hahaha`, `abcdabcdabcd`. Twice alone is a nickname (Zsazsa, Tomtom). */
const [PERIOD_MAX, TIMES_MIN, CYCLE_MIN] = [4, 3, 6];
const VOWEL = /[aeiouy]/;

/** The letters of a text that is one letter alone, however often. */
export const isOneLetter = (text: string): boolean =>
  text !== '' && Array.from(text).every((letter) => letter === text[0]);

/** Whether the text is one letter or a few of them, over and over: `aaaa`, `xxxyyy`, `lalala`, `sdgsdg`. */
export function isRepeated(text: string): boolean {
  if (text.length < SAME_MIN) return false;
  const parts = text.match(/(.)\1*/gsu) ?? [];
  if (parts.every((part) => part.length >= PART_MIN)) return true;
  const period = periodOf(text);
  if (period > PERIOD_MAX || text.length < CYCLE_MIN) return false;
  return text.length >= period * TIMES_MIN || (text.length >= period * 2 && !VOWEL.test(text) && period >= PART_MIN);
}

/** After how many characters the text begins again; its length when it does not. */
function periodOf(text: string): number {
  for (let period = 1; period < text.length; period += 1) if (text.startsWith(text.slice(period))) return period;
  return text.length;
}
