import { commandLine } from '../scripts/command-line.ts';
import { calibration } from './calibration/command.ts';
import { evidence } from './evidence/command.ts';
import { history } from './history/command.ts';
import { insights } from './insights/command.ts';
import { lists } from './lists/command.ts';
import { mailHosts } from './mail-hosts/command.ts';
import { screening } from './screening/command.ts';
import { spendingLimits } from './spending-limits/command.ts';

/** `npm run research -- <part>`: each part holds one promise of the product against data whose truth is known. */
await commandLine('research', 'Measures what the product promises on data whose truth is known.')
  .addCommand(calibration)
  .addCommand(evidence)
  .addCommand(history)
  .addCommand(spendingLimits)
  .addCommand(insights)
  .addCommand(screening)
  .addCommand(mailHosts)
  .addCommand(lists)
  .parseAsync();
