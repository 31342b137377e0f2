import { pause } from '../../kernel/deadline.ts';
import type { Id } from '../../kernel/ids.ts';
import { listMemberships } from '../../storage/postgres/members.ts';
import type { Deps } from '../deps.ts';

/** The directory follows the object within a moment. */
const DIRECTORY = { tries: 20, pauseMs: 150 };

/** Waits until the directory has a new member, who looks there next. It gives up after three seconds: the member is one all the same. */
export async function waitForDirectory(db: Deps['db'], userId: Id<'u'>, organisationId: Id<'org'>): Promise<void> {
  for (let tries = 0; tries < DIRECTORY.tries; tries += 1) {
    const listed = await listMemberships(db, { userId });
    if (listed.some((each) => each.organisationId === organisationId)) return;
    await pause(DIRECTORY.pauseMs);
  }
}
