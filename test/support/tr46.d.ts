/** The part of tr46 (UTS 46) that is used here; the package ships no types. */
declare module 'tr46' {
  interface Options {
    readonly checkBidi?: boolean;
    readonly checkJoiners?: boolean;
  }
  /** A-labels, or null where a label is invalid. */
  export function toASCII(domain: string, options?: Options): string | null;
  export function toUnicode(domain: string, options?: Options): { domain: string; error: boolean };
}
