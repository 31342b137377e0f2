import { useBlocker } from '@tanstack/react-router';

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** Of a page whose parts stand in its address, each keeps its own changes. */
const partOf = ({ search }: Place): unknown => (search as { readonly part?: unknown }).part;

/** Asks before what was changed and not saved is left, by a link or by closing the page. */
export function useUnsaved(isChanged: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: ({ current, next }: { readonly current: Place; readonly next: Place }) =>
      (current.pathname !== next.pathname || partOf(current) !== partOf(next)) && !window.confirm(question),
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
  });
}
