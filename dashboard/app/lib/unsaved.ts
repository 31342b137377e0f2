import { useBlocker } from '@tanstack/react-router';

interface Place {
  readonly pathname: string;
  readonly search: object;
}

interface Way {
  readonly current: Place;
  readonly next: Place;
  readonly action: string;
}

/** Of a page whose parts stand in its address, each keeps its own changes. */
const partOf = ({ search }: Place): unknown => (search as { readonly part?: unknown }).part;

/** The way back closes an open dialog, and leaves nothing: `parts/dialog.tsx`. */
const closesDialog = (action: string): boolean =>
  action === 'BACK' && document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** Asks before what was changed and not saved is left, by a link or by closing the page. */
export function useUnsaved(isChanged: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: ({ current, next, action }: Way) =>
      !closesDialog(action) &&
      (current.pathname !== next.pathname || partOf(current) !== partOf(next)) &&
      !window.confirm(question),
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
  });
}
