import { run } from './bench/memory.ts';
import { commandLine, wholeNumber } from './command-line.ts';
import { PLATFORM_HEAP_MB } from './stack/heap-limit.ts';

/**
 * `npm run bench:memory [-- --minutes N] [--no-heap-limit] [--classes]`: what memory the runtime takes under a mixed load, and what of the
 * heap is left once its garbage is collected.
 */
const options = commandLine('bench:memory', 'Watches the memory of the runtime under a mixed load.')
  .option('--minutes <n>', 'how long', wholeNumber(1), 10)
  .option('--no-heap-limit', 'without the limit that the platform sets to an isolate')
  .option('--classes', 'show what of the heap has grown; what a snapshot takes stands in the RSS from then on')
  .parse()
  .opts<{ minutes: number; heapLimit: boolean; classes?: true }>();
await run(options.minutes, options.heapLimit ? PLATFORM_HEAP_MB : null, options.classes === true);
