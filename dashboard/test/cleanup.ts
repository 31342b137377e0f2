import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Each test opens its own page, over answers of its own.
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
