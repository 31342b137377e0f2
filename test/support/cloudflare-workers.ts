/** Stands in for `cloudflare:workers` in Node: the base classes only keep what they are given. */
class Kept<E = unknown> {
  protected readonly ctx: unknown;
  protected readonly env: E;

  constructor(ctx: unknown, env: E) {
    this.ctx = ctx;
    this.env = env;
  }
}

export { Kept as DurableObject, Kept as WorkerEntrypoint };
