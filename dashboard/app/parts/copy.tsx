import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icons.tsx';

/** Copies a text. `what` names it. */
export const Copy = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <CopyButton value={text} timeout={1_500}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${what}`}>
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
