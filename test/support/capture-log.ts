import { vi } from 'vitest';

/** Collects log lines from now on instead of printing them. */
export function captureLog(): readonly string[] {
  const lines: string[] = [];
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(String).join(' ')));
  }
  return lines;
}
