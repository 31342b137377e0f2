/** Syllables of Korean given names, each in the spellings that its people use: Revised Romanization knows one of them. */
const ROWS =
  'u woo wu|su soo|ju joo|du doo|gu goo koo|hyeon hyun|yeong young yung|jeong jung|seong sung|gyeong kyung kyeong|hyeong hyung|' +
  'myeong myung|hui hee|jun joon|yun yoon youn|hun hoon|gyu kyu|geun keun|gi ki|gwang kwang|geon gun kun|seon sun|seop sub sup|' +
  'seok suk sok|suk sook|cheol chul|beom bum|yeol yul|hyeok hyuk|uk wook|won weon|i yi ee|ri lee|mi mee|a ah|jae jai|hye hae|' +
  'tae tai|sik shik|yeon youn|seo suh|eun un|ji jee|jin jean|min|ha|ho|ye|na|ra|bin|chan|do|dong|hwan|il|in|nam|sang|yong|rim lim|ran';

const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.split('|')
    .map((row) => row.split(' '))
    .flatMap((spellings) => spellings.map((syllable) => [syllable, spellings] as const)),
);

const of = (syllable: string): readonly string[] => SPELLINGS.get(syllable) ?? [];

/** The other spellings of a word that is one or two of these syllables (`jiwoo`: `jiu`, `jeewoo` …); none for another word. */
export function koreanSpellings(word: string): string[] {
  const found = new Set(of(word));
  for (let at = 1; at < word.length; at += 1) {
    const seconds = of(word.slice(at));
    for (const first of seconds.length === 0 ? [] : of(word.slice(0, at)))
      for (const second of seconds) found.add(first + second);
  }
  found.delete(word);
  return [...found];
}
