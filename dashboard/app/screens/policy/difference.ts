export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** Lines around a change. */
const AROUND = 3;

/** The shortest way from one list of lines to another, with a few unchanged lines around each change. */
export function difference(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  const lines = [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
  return withoutFarLines(lines);
}

/** More cells than these would take too long: the whole part is shown as replaced. */
const CELLS_MAX = 4_000_000;

function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (before.length * after.length > CELLS_MAX) return [...before.map(removed), ...after.map(added)];
  // Longest common subsequence of what is left at each pair of places.
  const width = after.length + 1;
  const length = new Uint32Array((before.length + 1) * width);
  const at = (one: number, other: number): number => length[one * width + other] ?? 0;
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      length[one * width + other] =
        before[one] === after[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  const lines: DiffLine[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const [left = '', right = ''] = [before[one], after[other]];
    if (one < before.length && other < after.length && left === right) {
      lines.push({ kind: 'same', text: left });
      one += 1;
      other += 1;
    } else if (other >= after.length || (one < before.length && at(one + 1, other) >= at(one, other + 1))) {
      lines.push(removed(left));
      one += 1;
    } else {
      lines.push(added(right));
      other += 1;
    }
  }
  return lines;
}

function withoutFarLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear[at] === true) return [line];
    return at === 0 || isNear[at - 1] === true ? [{ kind: 'gap', text: '' }] : [];
  });
}
