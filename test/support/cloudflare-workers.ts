/** Stands in for `cloudflare:workers` in Node: the base class only keeps what it is given. */
export class DurableObject<E = unknown> {
  protected readonly ctx: unknown;
  protected readonly env: E;

  constructor(ctx: unknown, env: E) {
    this.ctx = ctx;
    this.env = env;
  }
}
