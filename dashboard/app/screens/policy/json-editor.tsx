import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import { FaultAtLine, faultKey } from './fault-text.tsx';
import type { Fault } from './places.ts';

const JsonField = lazy(() => import('./json-field.tsx'));

interface JsonEditorProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
}

/** The whole document as text, as PUT /v1/policies takes it. The editor is loaded when it is opened. */
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
