import { Box, Button, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { Section } from '../../parts/page.tsx';
import type { Draft } from './draft.ts';
import type { Fault } from './fault.ts';
import { FaultText, faultKey } from './fault-text.tsx';

interface JsonEditorProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
}

interface Piece {
  readonly text: string;
  readonly kind: 'plain' | 'fault' | 'hint';
}

/** The text, cut at the ends of what is at fault or unknown. */
function pieces(text: string, faults: readonly Fault[], hints: readonly Fault[]): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const placesOf = (of: readonly Fault[], kind: Piece['kind']) =>
    of.flatMap(({ place }) => (place === null ? [] : [{ ...place, kind }]));
  const inOrder = [...placesOf(faults, 'fault'), ...placesOf(hints, 'hint')].toSorted(
    (one, other) => one.from - other.from,
  );
  for (const { from, to, kind } of inOrder) {
    if (from < at) continue;
    found.push({ text: text.slice(at, from), kind: 'plain' }, { text: text.slice(from, to), kind });
    at = to;
  }
  return [...found, { text: text.slice(at), kind: 'plain' }];
}

/** The whole document as text. What is wrong, or unknown to this page, is marked where it stands. */
export function JsonEditor({ draft, faults, isReadOnly }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const behind = useRef<HTMLPreElement>(null);
  const { hints } = draft;
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
      note="As PUT /v1/policies takes it. Changes here show in the rules, as long as it is a policy."
    >
      <Box className="json-editor">
        <pre ref={behind} aria-hidden="true">
          {pieces(draft.text, faults, hints).map(({ text, kind }, at) =>
            kind === 'plain' ? (
              <span key={at}>{text}</span>
            ) : (
              <mark key={at} data-kind={kind}>
                {text}
              </mark>
            ),
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
      {faults.length + hints.length > 0 && (
        <Stack gap={4} mt="sm">
          {faults.map((fault) => (
            <Finding key={faultKey(fault)} fault={fault} color="red" onShow={show} />
          ))}
          {hints.map((hint) => (
            <Finding key={faultKey(hint)} fault={hint} color="gray" onShow={show} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

interface FindingProps {
  readonly fault: Fault;
  /** Red: it is wrong. */
  readonly color: 'red' | 'gray';
  readonly onShow: (fault: Fault) => void;
}

/** What was found at a line, with the way there. */
const Finding = ({ fault, color, onShow }: FindingProps) => (
  <Text size="sm" c={color === 'red' ? 'var(--mantine-color-error)' : 'dimmed'} component="div">
    {fault.place !== null && (
      <Button size="compact-xs" variant="light" color={color} mr="xs" onClick={() => onShow(fault)}>
        Line {fault.line}
      </Button>
    )}
    <FaultText fault={fault} />
  </Text>
);
