import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOrganisation } from '../lib/organisation.ts';

type Screen =
  | 'overview'
  | 'try'
  | 'lists'
  | 'log'
  | 'policy'
  | 'rules'
  | 'learning'
  | 'keys'
  | 'connections'
  | 'members'
  | 'settings'
  | 'audit';

interface ScreenLinkProps extends AnchorProps {
  readonly to: Screen | `lists/${string}`;
  /** Search parameters. */
  readonly search?: object;
  readonly target?: '_blank';
  readonly title?: string;
  readonly children: ReactNode;
}

export function ScreenLink({ to, search = {}, ...anchor }: ScreenLinkProps) {
  const { id } = useOrganisation();
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to={`/$organisation/${to}` as '/$organisation/log'}
          params={{ organisation: id }}
          search={search as never}
          {...props}
        />
      )}
      {...anchor}
    />
  );
}
