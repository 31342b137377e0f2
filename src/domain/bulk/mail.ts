import type { Verdict } from '../../contract/vocabulary.ts';
import type { Job } from './job.ts';

/** The mail when a job is done: counts and a link, never content of the file. */
export function doneMail(job: Job, publicUrl: string | null): { readonly subject: string; readonly text: string } {
  const name = job.name ?? job.id;
  const counts = (Object.entries(job.counts) as [Verdict, number][]).map(([verdict, count]) => `${verdict}: ${count}`);
  const { rows = 0, unique = 0, invalid = 0 } = job.file ?? {};
  return {
    // A header is one line.
    subject: `Bulk verification done: ${name.replace(/\s+/g, ' ')}`,
    text: [
      `The bulk verification "${name}" is done.`,
      '',
      `Rows: ${rows}`,
      `Different addresses: ${unique}`,
      `Skipped rows: ${invalid}`,
      ...counts,
      '',
      'Its results, for a request with an API key:',
      `${publicUrl ?? ''}/v1/bulk/jobs/${job.id}/results.csv`,
      '',
    ].join('\n'),
  };
}
