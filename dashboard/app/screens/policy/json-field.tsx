import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { DECISIONS } from '../../lib/order.ts';
import { KNOWN_PATHS, OPERATORS, wordsOf } from './catalogue.ts';
import type { Fault } from './places.ts';

const MEMBERS =
  'name rules default icp id description when decision flow experiment all any not path op value weight min_sample guardrails'.split(
    ' ',
  );

/** Allowed words of a member, from the service's catalogue. */
function wordsFor(member: string, before: string): readonly string[] {
  if (member === 'path') return KNOWN_PATHS;
  if (member === 'op') return OPERATORS;
  if (member === 'decision' || member === 'default') return DECISIONS;
  if (member !== 'value') return [];
  return wordsOf([...before.matchAll(/"path":\s*"([^"]*)"/g)].at(-1)?.[1] ?? '');
}

/** Completes member names and values. */
export function completeJson(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/"[\w.]*/);
  if (typed === null) return null;
  const before = context.state.sliceDoc(0, typed.from);
  const member = /"(\w+)":\s*(?:\[[^\]{}]*)?$/.exec(before)?.[1];
  const isName = member === undefined && /[{,]\s*$/.test(before);
  const words = isName ? MEMBERS : wordsFor(member ?? '', before);
  const hasQuote = context.state.sliceDoc(context.pos, context.pos + 1) === '"';
  return {
    from: typed.from + 1,
    options: words.map((word) => ({ label: word, apply: hasQuote ? word : `${word}"` })),
    validFor: /^[\w.]*$/,
  };
}

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'transparent', color: 'inherit' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: '0' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--series)', outlineOffset: '-2px' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line)', color: 'inherit' },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--mantine-color-anchor)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--mark-poor)' },
]);

interface JsonFieldProps {
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** JSON editor with marked faults and completion. */
export default function JsonField({ text, faults, isReadOnly, onChange }: JsonFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const heard = useRef(onChange);
  heard.current = onChange;
  useEffect(() => {
    if (place.current === null) return undefined;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          bracketMatching(),
          json(),
          syntaxHighlighting(COLOURS),
          autocompletion({ override: [completeJson] }),
          lintGutter(),
          // Tab leaves the editor, so that it does not trap the keyboard.
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': 'Policy as JSON', tabindex: '0' }),
          EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''),
          EditorState.readOnly.of(isReadOnly),
          look,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) heard.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor owns its text; outside changes are written into it below.
  }, [isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    const diagnostics = faults.flatMap(({ at, problem, place: span }) =>
      span === null
        ? []
        : [
            {
              from: Math.min(span.from, end),
              to: Math.min(span.to, end),
              severity: 'error' as const,
              message: `${at} ${problem}`.trim(),
            },
          ],
    );
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [faults, text]);
  return <div ref={place} className="json-editor" />;
}
