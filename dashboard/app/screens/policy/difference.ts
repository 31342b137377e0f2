export interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Lines around a change that are shown with it. */
const AROUND = 2;

/** What became of the lines of one text in another (longest common subsequence), with the lines around each change. */
export function difference(before: string, after: string): Line[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ sign: ' ', text: left });
      i += 1;
      j += 1;
    } else if (
      right !== undefined &&
      (left === undefined || (common[i * width + j + 1] ?? 0) > (common[(i + 1) * width + j] ?? 0))
    ) {
      lines.push({ sign: '+', text: right });
      j += 1;
    } else {
      lines.push({ sign: '-', text: left ?? '' });
      i += 1;
    }
  }
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' ');
  const near = lines.map((_, at) => isNear(at));
  return near.some(Boolean) ? lines.filter((_, at) => near[at] === true) : lines;
}
