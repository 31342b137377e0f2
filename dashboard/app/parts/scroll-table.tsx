import { Table, type TableProps } from '@mantine/core';

interface ScrollTableProps extends TableProps {
  /** Narrower than this, pixels, it scrolls sideways. */
  readonly minWidth: number;
  /** Higher than this, pixels, it scrolls down. */
  readonly mah?: number;
  /** Its rows hold nothing that takes the focus: the keyboard scrolls the table itself. */
  readonly isPlain?: boolean;
}

/** A table that scrolls by itself where it does not fit: a shadow lies on the side where more of it is. */
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
