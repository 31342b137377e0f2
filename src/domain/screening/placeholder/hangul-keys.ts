/** Family names as they come out when a Korean keyboard types Latin letters: 김 is `rla`, 박 is `qkr`. The most common forty. */
const FAMILY_NAMES =
  'rla dl qkr chl wjd rkd wh dbs wkd dla gks dh tj tls rnjs ghkd dks thd fb ghd wjs rh ans ths did qo gj db ska tla sh gk rhkr tjd ck wn dn rn als wls wl'.split(
    ' ',
  );

/** A syllable on the standard layout (Dubeolsik, KS X 5002): consonant, vowel, and up to two consonants that close it. */
const SYLLABLE = '[rsefaqtdwczxvg](?:hk|ho|hl|nj|np|nl|ml|[koijpuhynbml])(?:rt|sw|sg|f[raqtxvg]|qt|[rsefaqtdwczxvg])?';

/** A name has one to three syllables behind the family name. */
const NAME = new RegExp(`^(?:${FAMILY_NAMES.join('|')})(?:${SYLLABLE}){1,3}$`);

/** Whether letters are a Korean name typed with the keyboard set to Latin: `qkrwldud` is 박지영. Lower-case ASCII letters. */
export const isHangulTyped = (letters: string): boolean => NAME.test(letters);
