export { isConnectionId, MAC_SINCE_MS, mayLackMac, newConnectionId } from './connection-id.ts';
export { eventBatch, eventFault } from './events.ts';
export { type OutcomeRecord, outcomeReceipt, reportedOutcome } from './outcomes.ts';
export { extractSmtpCodes } from './smtp-codes.ts';
export { isSignedByStripe, type SignedBody } from './stripe/signature.ts';
export { type ProcessorReport, readStripeWebhook } from './stripe/webhook.ts';
