import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOrganisation } from '../../lib/organisation.ts';

interface PolicyLinkProps {
  readonly slug: string;
  /** What of it is shown. */
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** The way to a policy. */
export function PolicyLink({ slug, search, children }: PolicyLinkProps) {
  const { id } = useOrganisation();
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/$organisation/policy"
          params={{ organisation: id }}
          search={{ policy: slug, ...search } as never}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  );
}
