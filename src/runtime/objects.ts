import { MODEL } from '../domain/belief/model.ts';
import { jobPrefix } from '../domain/bulk/job-record.ts';
import type { Fetch } from '../integrations/exchange.ts';
import { describeError, failureLevel, log } from '../kernel/log.ts';
import { callOperators, type ObjectServices, type OperatorsDeps } from '../organisation/api.ts';
import { OrganisationObject as Organisation } from '../organisation/object.ts';
import { OperatorsObject as Operators } from '../organisation/operators-object.ts';
import { notifyDone } from '../services/bulk/run-job.ts';
import { eraseLateRows } from '../services/erasure.ts';
import { sendAdminNotice, sendAlert, sendInvitation } from '../services/mails.ts';
import { queueMessage } from '../services/queue-message.ts';
import { findTracedAddresses } from '../services/observations.ts';
import { connectDatabase } from '../storage/postgres/client.ts';
import { writeOutbox } from '../storage/postgres/projection.ts';
import { deletePrefix } from '../storage/r2.ts';
import { bindingsOf, operatorsStub } from './bindings.ts';
import { addressHashes, hasher } from './hasher.ts';
import { configOf } from './isolate.ts';
import { serviceClock } from './config.ts';
import { analyticsCounters } from './monitoring.ts';

function openObjectServices(env: Env): ObjectServices {
  const { clockOffsetMs, dashboardUrl, database, mail, primaryRegion, publicUrl, secrets } = configOf(env);
  const fetchUrl: Fetch = (url, init) => fetch(url, init);
  const bindings = bindingsOf(env);
  const db = connectDatabase(database);
  const hashAddress = hasher(secrets.hash, 'address');
  const { earlier: earlierHashes } = addressHashes(secrets.hash, secrets.earlierHashes);
  const now = serviceClock(clockOffsetMs);
  const counters = analyticsCounters(env.COUNTERS);
  const operators: OperatorsDeps = { operators: () => operatorsStub(env, primaryRegion), now, counters };
  return {
    now,
    clockOffsetMs,
    isRotating: secrets.earlierHashes.length > 0,
    counters,
    model: MODEL,
    noteWork: async (organisation) => (await callOperators(operators).noteWork(organisation)).ok,
    wakeJobs: (organisation, jobs) =>
      bindings.BULK_QUEUE.sendBatch(
        jobs.map((jobId) => ({ body: queueMessage({ kind: 'job', organisationId: organisation, jobId }) })),
      ).then(() => undefined),
    deleteJobFiles: (organisation, job) => deletePrefix(bindings.BULK_FILES, jobPrefix(organisation, job)),
    sendJobMail: (record) => notifyDone({ db, mail, publicUrl, fetch: fetchUrl }, record),
    sendInvitation: ({ name }, invitation) => sendInvitation({ mail, dashboardUrl, fetch: fetchUrl }, name, invitation),
    sendAdminNotice: ({ name }, notice) => sendAdminNotice({ mail, fetch: fetchUrl }, name, notice),
    sendAlert: (organisation, alert, usage, to) => sendAlert({ mail, fetch: fetchUrl }, organisation, alert, usage, to),
    writeOutbox: (kind, rows) => writeOutbox(db, kind, rows),
    findTracedAddresses: (organisation, ids) => findTracedAddresses({ db, hashAddress }, organisation, ids),
    erase: (organisation, erasures) =>
      eraseLateRows({ db, hashAddress, earlierHashes }, organisation, erasures).then(
        () => true,
        (error: unknown) => {
          log(failureLevel(error), 'erasure_failed', { organisation, ...describeError(error) });
          return false;
        },
      ),
  };
}

/** The classes that the runtime instantiates: the objects with their services. */
export class OrganisationObject extends Organisation {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, openObjectServices(env));
  }
}

export class OperatorsObject extends Operators {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, serviceClock(configOf(env).clockOffsetMs));
  }
}
