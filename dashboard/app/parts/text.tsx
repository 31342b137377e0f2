import { Button, Text } from '@mantine/core';

/** Secondary text. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });
export const Dimmed = Text.withProps({ size: 'sm', c: 'dimmed' });
export const Strong = Text.withProps({ size: 'sm', fw: 500 });
export const QuietButton = Button.withProps({ size: 'xs', variant: 'default' });
