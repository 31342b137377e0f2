export { type AskModelDeps, askModel, type ModelAnswers, type ModelRequestFault, NOTHING_ASKED } from './ask.ts';
export type { ModelBackend } from './backend.ts';
export { ModelCircuit } from './circuit.ts';
export { leavesDoubt, modelName } from './name-shape.ts';
