/** Why no test finds a change, by the file and the change: `src/domain/…: was → becomes`. */
export const REASONS: Readonly<Record<string, string>> = {
  'src/domain/policy/values.ts: true → false':
    'the same: a member’s value is never read, and the type refuses any other',
};
