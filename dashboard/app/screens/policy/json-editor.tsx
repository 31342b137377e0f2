import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { withCode } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import type { Fault } from './places.ts';

const JsonField = lazy(() => import('./json-field.tsx'));

interface JsonEditorProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
}

/** The document as text. The editor's code loads when it is opened. */
export const JsonEditor = ({ draft, faults, isReadOnly }: JsonEditorProps) => (
  <Section>
    <Suspense fallback={<Skeleton height={560} />}>
      <JsonField text={draft.text} faults={faults} isReadOnly={isReadOnly} onChange={draft.write} />
    </Suspense>
    {faults.length > 0 && (
      <Stack gap={4} mt="sm" role="status">
        {faults.map((fault) => (
          <Text key={faultKey(fault)} size="sm" c="var(--mantine-color-error)" component="div">
            <FaultAtLine fault={fault} />
          </Text>
        ))}
      </Stack>
    )}
  </Section>
);

/** Faults at different positions may have the same text. */
export const faultKey = ({ at, problem, place }: Fault): string => `${place?.from} ${at} ${problem}`;

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

/** A fault with its line, if known. */
export const FaultAtLine = ({ fault }: { readonly fault: Fault }) =>
  fault.line === null ? (
    <FaultText fault={fault} />
  ) : (
    <>
      Line {fault.line}: <FaultText fault={fault} />
    </>
  );
