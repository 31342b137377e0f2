import { withCode } from '../../parts/notices.tsx';
import type { Fault } from './places.ts';

/** Two faults may say the same of two places. */
export const faultKey = ({ at, problem, place }: Fault): string => `${place?.from} ${at} ${problem}`;

/** What is wrong, with what names it. */
const FaultText = ({ fault: { at, problem } }: { readonly fault: Fault }) => (
  <>
    {at !== '' && (
      <>
        <code>{at}</code>{' '}
      </>
    )}
    {withCode(problem)}
  </>
);

/** The same with its line, where it stands in one. */
export const FaultAtLine = ({ fault }: { readonly fault: Fault }) =>
  fault.line === null ? (
    <FaultText fault={fault} />
  ) : (
    <>
      Line {fault.line}: <FaultText fault={fault} />
    </>
  );
