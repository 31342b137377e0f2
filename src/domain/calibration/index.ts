export { type Calibrated, calibrate } from './calibrate.ts';
export { modelKey, readCachedModel, writeCachedModel } from './document-cache.ts';
export { documentOf, type ModelDocument, modelFrom } from './model-document.ts';
export { type OutcomeReport, outcomeEvidence } from './outcome-evidence.ts';
export { FOLDS, HALF_LIFE_DAYS, type TracePattern } from './pattern.ts';
export { shownReport } from './reliability.ts';
export { patternFrom, type StoredPattern } from './stored-pattern.ts';
