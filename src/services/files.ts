export interface StreamedBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Whether it has a `Content-Length`, which the entrypoint has checked against the limit. */
  readonly isLengthKnown: boolean;
}

export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  readonly disposition: string;
  /** Null means unknown. */
  readonly charset: string | null;
}
