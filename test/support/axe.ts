import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA and all that it includes. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
// New in 2.2, and off in axe until one asks for it.
const OPTIONS = { runOnly: TAGS, rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };

/** What axe finds on the page as it stands: one line an element. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Its content security policy refuses a script tag; what the debugger evaluates it does not see.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}
