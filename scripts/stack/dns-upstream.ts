import { encode, RECURSION_DESIRED } from '@leichtgewicht/dns-packet';

/** Less than the 1.5 s the Worker gives an endpoint: the local answer still arrives in time. */
const TIMEOUT_MS = 700;
const RETRY_AFTER_MS = 30_000;

/** A question every resolver answers from memory. */
const PROBE = encode({ type: 'query', id: 0, flags: RECURSION_DESIRED, questions: [{ type: 'NS', name: '.' }] });

/** Forwards a DNS message; null when the resolver can't be reached. */
export type Forward = (message: Uint8Array) => Promise<Uint8Array | null>;

/**
 * A public resolver (RFC 8484). Once it could not be reached it is left alone: only a probe in the background, every 30
 * seconds at most, finds it back, so that no look-up waits for it while this machine is offline. The first probe starts now.
 */
export function createUpstream(url: string): Forward {
  let reachable: boolean | Promise<boolean>;
  let retryAtMs = 0;

  async function ask(message: Uint8Array): Promise<Uint8Array | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/dns-message', accept: 'application/dns-message' },
        body: message,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch {
      return null;
    }
  }

  async function probe(): Promise<boolean> {
    retryAtMs = Date.now() + RETRY_AFTER_MS;
    reachable = (await ask(PROBE)) !== null;
    return reachable;
  }

  reachable = probe();
  return async (message) => {
    if (!(await reachable)) {
      if (Date.now() >= retryAtMs) void probe();
      return null;
    }
    const answer = await ask(message);
    if (!answer) {
      reachable = false;
      retryAtMs = Date.now() + RETRY_AFTER_MS;
    }
    return answer;
  };
}
