import { Modal, type ModalProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** What opened it: of a menu, which goes, the button that shows the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]');
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : focused;
  return opener instanceof HTMLElement ? opener : null;
}

/**
 * A dialog. The browser's way back closes it, and stays on the page; where the way back leads out of the dashboard, what was typed is
 * asked about. Once it is over, the focus is back on what opened it, or on the content where that is gone.
 */
export function Dialog({ opened, onClose, children, ...rest }: ModalProps) {
  const [isTyped, setTyped] = useState(false);
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false;
      onClose();
      return true;
    },
    disabled: !opened,
    enableBeforeUnload: opened && isTyped,
  });
  useEffect(() => {
    if (!opened) return undefined;
    setTyped(false);
    const opener = openerOf(document.activeElement);
    return () => (opener?.isConnected === true ? opener : document.getElementById('main'))?.focus();
  }, [opened]);
  return (
    // Mantine gives it back only where the dialog stays mounted.
    <Modal
      opened={opened}
      onClose={onClose}
      onInput={() => setTyped(true)}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      {...rest}
    >
      {children}
    </Modal>
  );
}
