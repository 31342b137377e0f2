import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

/** What opened it: of a menu, which goes, the button that shows the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]');
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : focused;
  return opener instanceof HTMLElement ? opener : null;
}

/** A dialog. Once it is over, the focus is back on what opened it, or on the content where that is gone. */
export function Dialog({ opened, children, ...rest }: ModalProps) {
  useEffect(() => {
    if (!opened) return undefined;
    const opener = openerOf(document.activeElement);
    return () => (opener?.isConnected === true ? opener : document.getElementById('main'))?.focus();
  }, [opened]);
  return (
    // Mantine gives it back only where the dialog stays mounted.
    <Modal opened={opened} returnFocus={false} closeButtonProps={{ 'aria-label': 'Close' }} {...rest}>
      {children}
    </Modal>
  );
}
