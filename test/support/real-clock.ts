import { vi } from 'vitest';

// Files share a process: one that stops the clock would leave it stopped for the next.
vi.useRealTimers();
