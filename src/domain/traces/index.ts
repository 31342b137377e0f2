export { decidedBy, maySeeTrace, traceBody, traceRow } from './present.ts';
export { type DecidableTrace, TRACE_VERSION, type TraceDetail, type TraceRecord, traceJson } from './record.ts';
