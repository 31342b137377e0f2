import { openDeps } from '../runtime/wiring.ts';
import { createFirstApp } from './http/first-app.ts';

export const firstApp = createFirstApp(openDeps, async () => (await import('./app.ts')).app);
