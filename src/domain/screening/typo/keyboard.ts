/** Rows of letters and digits; a key of each row lies between two of the row above. */
const LAYOUTS = {
  qwerty: ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm,.'],
  qwertz: ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm,.-'],
  azerty: ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn,;.'],
} as const;
/** How far a row is shifted to the right, in keys (ISO/IEC 9995 keyboards). */
const SHIFTS = [0, 0.5, 0.75, 1.25];
/** Centre to centre: the key beside, and those above and below it. */
const REACH = 1.3;

/** Pairs of keys that lie side by side on a layout, each pair both ways. */
export function neighbours(layout: keyof typeof LAYOUTS): [key: string, beside: string][] {
  const keys = LAYOUTS[layout].flatMap((row, y) => Array.from(row, (key, i) => ({ key, x: i + (SHIFTS[y] ?? 0), y })));
  return keys.flatMap((a) =>
    keys
      .filter((b) => a.key !== b.key && Math.hypot(a.x - b.x, a.y - b.y) <= REACH)
      .map((b): [string, string] => [a.key, b.key]),
  );
}
