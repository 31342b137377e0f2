import type { ReactNode } from 'react';

/** A form that the page itself sends. */
export const Form = ({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
