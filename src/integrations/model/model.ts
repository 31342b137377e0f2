import type { ModelBackend } from '../../domain/screening/model/circuit.ts';
import type { Fetch } from '../exchange.ts';
import { createOpenAiBackend, type OpenAiSettings } from './openai.ts';
import { createWorkersAiBackend, type RunAi, type WorkersAiSettings } from './workers-ai.ts';

export type { RunAi };

/** Screening's model, by the setting `MODEL_BACKEND`. */
export type ModelSettings =
  | { readonly backend: 'none' }
  | ({ readonly backend: 'openai' } & OpenAiSettings)
  | ({ readonly backend: 'workers-ai' } & WorkersAiSettings);

/** Null when the model is off. */
export function createModelBackend(settings: ModelSettings, fetch: Fetch, runAi: RunAi): ModelBackend | null {
  switch (settings.backend) {
    case 'none':
      return null;
    case 'openai':
      return createOpenAiBackend(settings, fetch);
    case 'workers-ai':
      return createWorkersAiBackend(settings, runAi);
  }
}
