/** What the reader's samples say in place of `$KEY` (`API_KEY` in a program) and `$BASE_URL`. */
export interface Fillings {
  /** Empty: it stays as it is. */
  readonly key: string;
  readonly baseUrl: string;
}

/** A variable in the text of a shell, of a template of JavaScript or Python, or by itself. */
const PLACES =
  /\$\{(?<braced>BASE_URL|API_KEY)\}|\$(?<shell>BASE_URL|KEY)\b|\{(?<python>BASE_URL|API_KEY)\}|(?<=: )(?<bare>BASE_URL|API_KEY)\b|(?<shown>evk_test_…)/g;

/** The same text, as pieces that took the place of `pieces`: a variable may go over several, as code is coloured word by word. */
export function filled(pieces: readonly string[], { key, baseUrl }: Fillings): string[] {
  const result = [...pieces];
  const starts = pieces.map((_, at) => pieces.slice(0, at).join('').length);
  const matches = Array.from(pieces.join('').matchAll(PLACES)).toReversed();
  for (const { index, 0: found, groups = {} } of matches) {
    const { braced, shell, python, bare } = groups;
    const name = braced ?? shell ?? python ?? bare ?? 'KEY';
    const value = name === 'BASE_URL' ? baseUrl : key;
    if (value === '') continue;
    const text = bare === undefined ? value : `'${value}'`;
    const first = starts.findLastIndex((start) => start <= index);
    for (const [at, piece] of pieces.entries()) {
      const from = Math.max(index - (starts[at] ?? 0), 0);
      const to = Math.min(index + found.length - (starts[at] ?? 0), piece.length);
      if (to <= 0 || from >= piece.length) continue;
      const now = result[at] ?? '';
      result[at] = now.slice(0, from) + (at === first ? text : '') + now.slice(to);
    }
  }
  return result;
}
