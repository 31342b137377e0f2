import { useMutation as useEachMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * TanStack's `useMutation`, which sends once while an answer is due. The second click of a double click comes before the button is
 * drawn as busy, and would make a second key, invitation or connection.
 */
export const useMutation: typeof useEachMutation = (options, client) => {
  const mutation = useEachMutation(options, client);
  const isBusy = useRef(false);
  const mutate = (...sent: Parameters<typeof mutation.mutateAsync>): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    const end = () => void (isBusy.current = false);
    mutation.mutateAsync(...sent).then(end, end);
  };
  return { ...mutation, mutate };
};
