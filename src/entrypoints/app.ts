import { openDeps } from '../runtime/wiring.ts';
import { createApp } from './http/app.ts';
import { personOf } from './internal/person-requests.ts';

/** One app for both entrypoints, made once an isolate. */
export const app = createApp(openDeps, personOf);
