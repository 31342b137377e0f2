import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocsUrl } from '../lib/api-url.ts';
import { Icon } from './icons.tsx';

interface DocsLinkProps {
  /** Below the documentation: `api/`. */
  readonly page: string;
  readonly children: ReactNode;
}

/** The way to a page of the documentation, in another tab. Without the API's address, it has no place to lead to. */
export function DocsLink({ page, children }: DocsLinkProps) {
  const docs = useDocsUrl();
  if (docs === null) return null;
  return (
    <Anchor size="sm" href={`${docs}${page}`} target="_blank" rel="noreferrer noopener">
      {children}
      <span style={{ marginInlineStart: 4 }}>
        <Icon name="external" size={12} />
      </span>
      <span className="visually-hidden"> in another tab</span>
    </Anchor>
  );
}
