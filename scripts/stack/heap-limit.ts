/** An isolate's limit on Cloudflare, in megabytes; there, buffers count as well. */
export const PLATFORM_HEAP_MB = 128;

/**
 * Limits the JS heap of every isolate of the workerd that Miniflare starts next; null means no limit. V8 sizes its
 * generations by the limit: without one it keeps garbage that the platform would have collected.
 */
export function limitHeaps(megabytes: number | null): void {
  // Miniflare hands it on to workerd.
  process.env.MINIFLARE_WORKERD_V8_FLAGS = megabytes === null ? '' : `--max-heap-size=${megabytes}`;
}
