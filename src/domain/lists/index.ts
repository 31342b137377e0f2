export { judgeSource, previousList, sizesLately } from './accept-source.ts';
export { createLists, type ListData } from './lists.ts';
export { type Additions, additionsOf, composeOverlay, type Overlay, overlaid } from './overlay.ts';
export { readSource } from './source-text.ts';
export type { BundledLists, DisposableTier, Lists } from './types.ts';
