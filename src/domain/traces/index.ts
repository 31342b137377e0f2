export { decidedBy, maySeeTrace, traceBody, traceRow } from './present.ts';
export { type DecidableTrace, type TraceDetail, type TraceRecord, traceJson } from './record.ts';
