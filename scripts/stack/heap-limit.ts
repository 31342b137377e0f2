/** What an isolate may have on Cloudflare, in megabytes. */
export const PLATFORM_HEAP_MB = 128;

/**
 * Limits the heap of every isolate of the workerd that Miniflare starts next; null: none. V8 sizes its generations by the limit:
 * without one garbage lies about, and what the platform would end runs all the same.
 */
export function limitHeaps(megabytes: number | null): void {
  // Miniflare hands it on to workerd.
  process.env.MINIFLARE_WORKERD_V8_FLAGS = megabytes === null ? '' : `--max-heap-size=${megabytes}`;
}
