import { parseCron } from './cron-schedule.ts';

const MINUTE_MS = 60_000;

/** Fires the Worker's crons at their minutes, UTC: workerd by itself never does. Returns what stops it. */
export function startCron(baseUrl: string, expressions: readonly string[]): () => void {
  const crons = expressions.map((expression) => ({ expression, isDue: parseCron(expression) }));
  let timer: NodeJS.Timeout;

  async function fire(expression: string): Promise<void> {
    try {
      const response = await fetch(`${baseUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(expression)}`);
      if (!response.ok) console.error(`cron ${expression}: ${await response.text()}`);
    } catch {
      console.error(`cron ${expression}: the Worker did not answer`);
    }
  }

  function waitForNextMinute(): void {
    const nextMs = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
    timer = setTimeout(() => {
      // A timer may fire a moment early; the minute it was set for is meant.
      for (const { expression, isDue } of crons) if (isDue(new Date(nextMs))) void fire(expression);
      waitForNextMinute();
    }, nextMs - Date.now());
  }

  waitForNextMinute();
  return () => clearTimeout(timer);
}
