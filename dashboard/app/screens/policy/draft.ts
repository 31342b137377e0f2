import { useState } from 'react';
import type { Policy, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { type Fault, readJson } from './places.ts';
import { documentOf } from './queries.ts';

/** A policy that is being changed, in a form or as text. */
export interface Draft {
  /** The last that was JSON. */
  readonly document: PolicyDocument;
  readonly text: string;
  /** Null: the text is JSON. */
  readonly broken: Fault | null;
  readonly isChanged: boolean;
  readonly change: (document: PolicyDocument) => void;
  readonly write: (text: string) => void;
  readonly reset: () => void;
}

export const textOf = (document: PolicyDocument): string => JSON.stringify(document, null, 2);

const looksLikePolicy = (value: unknown): value is PolicyDocument => {
  const { rules, name } = Object(value) as Partial<PolicyDocument>;
  return (
    typeof name === 'string' &&
    Array.isArray(rules) &&
    rules
      .map((rule) => Object(rule) as Partial<PolicyRule>)
      .every(({ id, when }) => typeof id === 'string' && Object(when) === when)
  );
};

export function useDraft(policy: Policy): Draft {
  const saved = documentOf(policy);
  const [document, setDocument] = useState(saved);
  const [text, setText] = useState(textOf(saved));
  const [broken, setBroken] = useState<Fault | null>(null);
  const change = (next: PolicyDocument): void => {
    setDocument(next);
    setText(textOf(next));
    setBroken(null);
  };
  const write = (next: string): void => {
    setText(next);
    const read = readJson(next);
    if ('fault' in read) return setBroken(read.fault);
    if (!looksLikePolicy(read.value))
      return setBroken({
        at: '',
        problem: 'has to have `name` and `rules`, each rule with `id` and `when`',
        place: null,
        line: null,
      });
    setBroken(null);
    setDocument(read.value);
  };
  return {
    document,
    text,
    broken,
    isChanged: broken !== null || JSON.stringify(document) !== JSON.stringify(saved),
    change,
    write,
    reset: () => change(saved),
  };
}
