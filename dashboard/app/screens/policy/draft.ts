import { useState } from 'react';
import type { Policy, PolicyDocument } from '../../api/schema.ts';
import { isSame } from '../../lib/same.ts';
import { type Fault, readPolicy } from './places.ts';
import { documentOf } from './queries.ts';

/** An edited policy, as document and as text. */
export interface Draft {
  /** The version the draft started from. If it is not the newest, someone else has saved. */
  readonly base: Policy;
  readonly document: PolicyDocument;
  readonly text: string;
  /** Why the text is no policy, by line; empty if it is one. */
  readonly broken: readonly Fault[];
  readonly isChanged: boolean;
  readonly change: (document: PolicyDocument) => void;
  readonly write: (text: string) => void;
  readonly reset: () => void;
  /** Marks a text as saved. Later edits stay. */
  readonly saved: (text: string, version: Policy) => void;
  /** While held (a form is open), a newer version does not replace the draft. */
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

/** A draft without changes follows the newest version. */
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
