import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icons.tsx';

/** Copies a text. */
export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <CopyButton value={text} timeout={1_500}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={label}>
          <Icon name={copied ? 'check' : 'copy'} size={15} />
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

export const CopyWide = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <CopyButton value={text} timeout={1_500}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
        onClick={copy}
      >
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
);
