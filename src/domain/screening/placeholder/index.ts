export { isHollowWord, isPlaceholder } from './placeholder.ts';
export { splitTyped, type TypedAddress } from './typed.ts';
