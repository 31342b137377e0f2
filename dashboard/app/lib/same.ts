/** Deep equality of JSON values, regardless of key order; null equals a missing key. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object(one) !== one || Object(other) !== other) return (one ?? null) === (other ?? null);
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((each, at) => isSame(each, other[at]))
    );
  const [left, right] = [one as Readonly<Record<string, unknown>>, other as Readonly<Record<string, unknown>>];
  return Object.keys({ ...left, ...right }).every((key) => isSame(left[key], right[key]));
}
