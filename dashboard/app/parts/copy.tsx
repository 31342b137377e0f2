import { ActionIcon, CopyButton, Tooltip, Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocsUrl } from '../lib/api-url.ts';
import { Icon } from './icons.tsx';
import { QuietButton } from './text.tsx';

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <CopyButton value={text} timeout={1_500}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon size="sm" onClick={copy} aria-label={label}>
          <Icon name={copied ? 'check' : 'copy'} size={15} />
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

export const CopyWide = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <CopyButton value={text} timeout={1_500}>
    {({ copied, copy }) => (
      <QuietButton leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />} onClick={copy}>
        {copied ? 'Copied' : label}
      </QuietButton>
    )}
  </CopyButton>
);

interface DocsLinkProps {
  /** Below the documentation: `api/`. */
  readonly page: string;
  readonly children: ReactNode;
}

/** Link to a page of the documentation, in another tab. Hidden while the API's address is unknown. */
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
