/** The part of mailcheck that is used here; the package ships no types. */
declare module 'mailcheck' {
  interface Suggestion {
    readonly domain: string;
  }
  function run<T>(options: {
    readonly email: string;
    readonly suggested: (suggestion: Suggestion) => T;
    readonly empty: () => T;
  }): T;
  export default { run };
}
