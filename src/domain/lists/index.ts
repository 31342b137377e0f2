export { createLists, type ListData } from './lists.ts';
export type { DisposableTier, Lists } from './types.ts';
