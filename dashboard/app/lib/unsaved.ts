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

/** A part of a page named in the URL has changes of its own. */
const partOf = ({ search }: Place): unknown => (search as { readonly part?: unknown }).part;

let openDialogs = 0;

/** While a dialog is open, Back closes it and leaves nothing. Returns the function to call on close. */
export function dialogOpened(): () => void {
  openDialogs += 1;
  return () => {
    openDialogs -= 1;
  };
}

/** Asks before unsaved changes are lost by a link or by closing the page. */
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
