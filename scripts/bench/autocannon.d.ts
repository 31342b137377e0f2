/** The part of autocannon that is used here; the package ships no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    /** Sent in turn by each connection. */
    readonly requests: readonly { readonly body: string }[];
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Requests a second of all connections together, however long answers take. */
    readonly overallRate?: number;
  }
  interface Run extends Promise<{ readonly errors: number }> {
    on(event: 'response', heard: (client: unknown, status: number, bytes: number, ms: number) => void): this;
  }
  const autocannon: (options: Options) => Run;
  export = autocannon;
}
