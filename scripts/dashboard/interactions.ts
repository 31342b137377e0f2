import type { CDPSession, Page } from 'playwright-core';

/** The browser's own measure: from the input to the next paint. It rounds to 8 ms, and reports none below 16. */
const LEAST_MS = 16;

const WATCH = `
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) window.interactions.push(duration);
  }).observe({ type: 'event', durationThreshold: ${LEAST_MS} });
`;

/** The observer receives an event some frames after its paint. */
const HEARD_MS = 250;

export interface Interaction {
  /** From the input to the next paint, milliseconds; 16 stands for less. */
  readonly waitMs: number;
  /** CPU milliseconds of the page's main thread until a quarter of a second later, including what the input loads. */
  readonly cpuMs: number;
}

export type Measure = (act: () => Promise<unknown>) => Promise<Interaction>;

const cpuMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
};

/** Measures the interactions on pages that this window loads from now on. */
export async function watchInteractions(page: Page): Promise<Measure> {
  await page.context().addInitScript(WATCH);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async (act) => {
    await page.waitForTimeout(HEARD_MS);
    await page.evaluate('window.interactions = []');
    const before = await cpuMs(session);
    await act();
    await page.waitForTimeout(HEARD_MS);
    const after = await cpuMs(session);
    const waits = await page.evaluate<number[]>('window.interactions');
    return { waitMs: Math.max(LEAST_MS, ...waits), cpuMs: after - before };
  };
}
