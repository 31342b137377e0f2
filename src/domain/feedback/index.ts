export { eventBatch, eventFault } from './events.ts';
export { type OutcomeRecord, outcomeReceipt, reportedOutcome } from './outcomes.ts';
export { extractSmtpCodes } from './smtp-codes.ts';
