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

/** Each part of a page keeps its own changes, where the address names the part. */
const partOf = ({ search }: Place): unknown => (search as { readonly part?: unknown }).part;

let openDialogs = 0;

/** The way back is that of an open dialog, and leaves nothing: `parts/dialog.tsx`. Returns what to call once it is closed. */
export function dialogOpened(): () => void {
  openDialogs += 1;
  return () => {
    openDialogs -= 1;
  };
}

/** Asks before what was changed and not saved is left, by a link or by closing the page. */
export function useUnsaved(isChanged: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: ({ current, next, action }: Way) =>
      !(action === 'BACK' && openDialogs > 0) &&
      (current.pathname !== next.pathname || partOf(current) !== partOf(next)) &&
      !window.confirm(question),
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
  });
}
