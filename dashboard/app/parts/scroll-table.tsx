import { Table, type TableProps } from '@mantine/core';

interface ScrollTableProps extends TableProps {
  /** Pixels; below this width it scrolls sideways. */
  readonly minWidth: number;
  /** Pixels; above this height it scrolls down. */
  readonly mah?: number;
  /** No row can take the focus, so the table itself takes it for keyboard scrolling. */
  readonly isPlain?: boolean;
}

/** A table that scrolls inside itself; a shadow marks each side that hides more. */
export const ScrollTable = ({ minWidth, mah, isPlain = false, ...table }: ScrollTableProps) => (
  <Table.ScrollContainer
    className="scroll-table"
    minWidth={minWidth}
    {...(mah !== undefined && { mah })}
    scrollAreaProps={{ offsetScrollbars: 'present', ...(isPlain && { viewportProps: { tabIndex: 0 } }) }}
  >
    <Table {...table} />
  </Table.ScrollContainer>
);
