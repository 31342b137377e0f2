import { useState } from 'react';
import type { Policy, PolicyDocument } from '../../api/schema.ts';
import { isSame } from '../../lib/same.ts';
import { type Fault, readPolicy } from './places.ts';
import { documentOf } from './queries.ts';

/** A policy that is being changed, in a form or as text. */
export interface Draft {
  /** The version that the changes begin at. Older than the newest one: someone has saved meanwhile. */
  readonly base: Policy;
  /** The last that was a policy. */
  readonly document: PolicyDocument;
  readonly text: string;
  /** What keeps the text from being a policy, in the order of its lines. Empty: nothing. */
  readonly broken: readonly Fault[];
  readonly isChanged: boolean;
  readonly change: (document: PolicyDocument) => void;
  readonly write: (text: string) => void;
  /** Gives up the changes for the newest version. */
  readonly reset: () => void;
  /** A text of this draft was saved as this version. What was typed since stays. */
  readonly saved: (text: string, version: Policy) => void;
  /** While a form is open over the draft, a version that someone else saves does not take its place. */
  readonly hold: (isHeld: boolean) => void;
}

const textOf = (document: PolicyDocument): string => JSON.stringify(document, null, 2);

type Work = Pick<Draft, 'base' | 'document' | 'text' | 'broken'>;

const workOn = (base: Policy): Work => {
  const document = documentOf(base);
  return { base, document, text: textOf(document), broken: [] };
};

const isChangedFrom = (base: Policy, { document, broken }: Work): boolean =>
  broken.length > 0 || JSON.stringify(document) !== JSON.stringify(documentOf(base));

/** `newest`: the newest version that was read. A draft without changes follows it. */
export function useDraft(newest: Policy): Draft {
  const [work, setWork] = useState(() => workOn(newest));
  const [isHeld, hold] = useState(false);
  const isChanged = isChangedFrom(work.base, work);
  const isNewest = work.broken.length === 0 && isSame(work.document, documentOf(newest));
  if (newest.version > work.base.version && !isHeld && (!isChanged || isNewest)) setWork(workOn(newest));
  return {
    ...work,
    isChanged,
    change: (document) => setWork(({ base }) => ({ base, document, text: textOf(document), broken: [] })),
    write: (text) => {
      const { document, faults } = readPolicy(text);
      setWork((old) => ({ base: old.base, document: document ?? old.document, text, broken: faults }));
    },
    reset: () => setWork(workOn(newest)),
    saved: (text, version) => setWork((old) => (old.text === text ? workOn(version) : { ...old, base: version })),
    hold,
  };
}
