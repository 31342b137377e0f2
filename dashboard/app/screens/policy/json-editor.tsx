import { Box, Button, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import type { Fault } from './places.ts';

interface JsonEditorProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
}

/** The text, cut at the ends of what is at fault. */
function pieces(text: string, faults: readonly Fault[]): { readonly text: string; readonly isFault: boolean }[] {
  const found: { text: string; isFault: boolean }[] = [];
  let at = 0;
  const inOrder = faults.flatMap(({ place }) => place ?? []).toSorted((one, other) => one.from - other.from);
  for (const { from, to } of inOrder) {
    if (from < at) continue;
    found.push({ text: text.slice(at, from), isFault: false }, { text: text.slice(from, to), isFault: true });
    at = to;
  }
  return [...found, { text: text.slice(at), isFault: false }];
}

/** The whole document as text. What the service finds wrong is marked where it stands. */
export function JsonEditor({ draft, faults, isReadOnly }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const behind = useRef<HTMLPreElement>(null);
  const lines = draft.text.split('\n').length;
  const show = ({ place, line }: Fault) => {
    const field = area.current;
    if (field === null || place === null) return;
    field.focus();
    field.setSelectionRange(place.from, place.to);
    const height = field.scrollHeight / lines;
    field.scrollTop = Math.max(0, ((line ?? 1) - 4) * height);
  };
  return (
    <Section
      title="The whole policy as JSON"
      note="As PUT /v1/policies takes it. Changes here show in the rules, as long as it is JSON."
    >
      <Box className="json-editor">
        <pre ref={behind} aria-hidden="true">
          {pieces(draft.text, faults).map(({ text, isFault }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
            isFault ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
          {'\n'}
        </pre>
        <textarea
          ref={area}
          aria-label="Policy as JSON"
          aria-invalid={faults.length > 0}
          spellCheck={false}
          autoComplete="off"
          readOnly={isReadOnly}
          value={draft.text}
          onChange={(event) => draft.write(event.currentTarget.value)}
          onScroll={({ currentTarget: { scrollTop, scrollLeft } }) => {
            if (behind.current === null) return;
            behind.current.scrollTop = scrollTop;
            behind.current.scrollLeft = scrollLeft;
          }}
        />
      </Box>
      {faults.length > 0 && (
        <Stack gap={4} mt="sm">
          {faults.map((fault) => (
            <Text key={`${fault.at} ${fault.problem}`} size="sm" c="var(--mantine-color-error)" component="div">
              {fault.place !== null && (
                <Button size="compact-xs" variant="light" color="red" mr="xs" onClick={() => show(fault)}>
                  Line {fault.line}
                </Button>
              )}
              {fault.at !== '' && <code>{fault.at}</code>} {fault.problem}
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  );
}
