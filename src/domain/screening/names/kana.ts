import type { Romaniser } from './romanise.ts';

/** Small kana bend the syllable before them: きょ is kyo, しゅ is shu, っ doubles what follows. */
export function kanaLetters(roman: Romaniser, written: string): string {
  let letters = '';
  let doubled = false;
  for (const sign of written) {
    const sound = roman.letter(sign);
    if (/[ゃゅょャュョ]/.test(sign))
      letters = letters.replace(/i$/, '') + (/(?:sh|ch|j)i$/.test(letters) ? sound.slice(1) : sound);
    else if (/[っッ]/.test(sign)) doubled = true;
    else {
      letters += doubled ? sound.charAt(0) + sound : sound;
      doubled = false;
    }
  }
  return letters;
}
