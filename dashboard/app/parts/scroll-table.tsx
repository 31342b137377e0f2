import { Table, type TableProps } from '@mantine/core';

interface ScrollTableProps extends TableProps {
  /** Narrower than this, pixels, it scrolls sideways. */
  readonly minWidth: number;
  /** Higher than this, pixels, it scrolls down. */
  readonly mah?: number;
  /** Its rows hold nothing that takes the focus: the keyboard scrolls the table itself. */
  readonly isPlain?: boolean;
}

/** A table that scrolls by itself where it does not fit. */
export const ScrollTable = ({ minWidth, mah, isPlain = false, ...table }: ScrollTableProps) => (
  <Table.ScrollContainer
    minWidth={minWidth}
    {...(mah !== undefined && { mah })}
    scrollAreaProps={{ offsetScrollbars: 'present', ...(isPlain && { viewportProps: { tabIndex: 0 } }) }}
  >
    <Table {...table} />
  </Table.ScrollContainer>
);
