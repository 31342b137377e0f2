/** Why no test finds a change, by the file and the change: `src/domain/…: was → becomes`. */
export const REASONS: Readonly<Record<string, string>> = {};
