export { maySeeTrace, traceBody, traceRow } from './present.ts';
export { TRACE_VERSION, type TraceDetail, type TraceRecord } from './record.ts';
