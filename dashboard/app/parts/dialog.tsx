import { Modal, type ModalProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dialogOpened } from '../lib/unsaved.ts';

/** The element that opened the dialog; for a menu item, the menu's button, as the item disappears. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]');
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : focused;
  return opener instanceof HTMLElement ? opener : null;
}

interface DialogProps extends ModalProps {
  /** Shows something only once: only its own buttons close it, and leaving the page asks first. */
  readonly isHeld?: boolean;
}

/**
 * A dialog. The browser's way back closes it, and stays on the page. Once it is over, the focus is back on what opened it, or on the
 * content where that is gone.
 */
export function Dialog({ opened, onClose, isHeld = false, children, ...rest }: DialogProps) {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false;
      if (!isHeld) onClose();
      return true;
    },
    disabled: !opened,
    enableBeforeUnload: opened && isHeld,
  });
  useEffect(() => (opened ? dialogOpened() : undefined), [opened]);
  useEffect(() => {
    if (!opened) return undefined;
    const opener = openerOf(document.activeElement);
    return () => (opener?.isConnected === true ? opener : document.getElementById('main'))?.focus();
  }, [opened]);
  return (
    // Mantine returns the focus only if the dialog stays mounted.
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
      withCloseButton={!isHeld}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      {...rest}
    >
      {children}
    </Modal>
  );
}
