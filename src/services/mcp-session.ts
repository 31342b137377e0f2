import { MCP } from '../contract/tools.ts';
import { verb } from './verb.ts';

/** A message of an MCP session that calls no tool: it takes a key that may read, and reads nothing of the organisation. */
export const useSession = verb({ route: MCP, run: async () => ({}) });
