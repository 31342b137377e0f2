import { health } from '../services/health.ts';
import { check } from '../services/verification/check.ts';
import { verify } from '../services/verification/verify.ts';

export const FIRST_VERBS = { health, verify, check };
