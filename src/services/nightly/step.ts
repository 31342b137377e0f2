import type { BackgroundDeps } from '../deps.ts';

/** What a step did. `done` false: more is left than one go holds, and the message comes again for the rest. */
export type Report = object & { readonly done?: boolean };

/** Does its part of a night. Done twice, it finds nothing more to do. */
export interface Step<Args extends readonly unknown[]> {
  readonly name: string;
  readonly why: string;
  readonly run: (deps: BackgroundDeps, ...args: Args) => Promise<Report>;
}

/** The report of a failed try. It has the error's name alone: a message may quote an address. */
export const failedReport = (error: unknown): { readonly failed: string } => ({
  failed: error instanceof Error ? error.name : typeof error,
});
