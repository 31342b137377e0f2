import { Table, type TableThProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Head cells, each with optional props. */
export type HeadCells = readonly (ReactNode | readonly [ReactNode, TableThProps])[];

const isPlaced = (cell: HeadCells[number]): cell is readonly [ReactNode, TableThProps] => Array.isArray(cell);

export const Head = ({ cells, ...row }: { readonly cells: HeadCells; readonly 'aria-rowindex'?: number }) => (
  <Table.Thead>
    <Table.Tr {...row}>
      {cells.map((cell, at) => {
        const [text, props] = isPlaced(cell) ? cell : [cell, {}];
        return (
          <Table.Th key={at} {...props}>
            {text}
          </Table.Th>
        );
      })}
    </Table.Tr>
  </Table.Thead>
);
