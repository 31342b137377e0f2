import { commandLine } from '../scripts/command-line.ts';
import { bounces } from './bounces/command.ts';
import { insights } from './insights/command.ts';
import { lists } from './lists/command.ts';
import { mailHosts } from './mail-hosts/command.ts';
import { number } from './number/command.ts';
import { screening } from './screening/command.ts';
import { spendingLimits } from './spending-limits/command.ts';

/** `npm run research -- <part>`: each part holds one promise of the product against data whose truth is known. */
await commandLine('research', 'Measures what the product promises on data whose truth is known.')
  .addCommand(number)
  .addCommand(spendingLimits)
  .addCommand(insights)
  .addCommand(screening)
  .addCommand(bounces)
  .addCommand(mailHosts)
  .addCommand(lists)
  .parseAsync();
