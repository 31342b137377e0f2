import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA and all that it includes. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
// New in WCAG 2.2, and off by default in axe.
const OPTIONS = { runOnly: TAGS, rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };

/** Axe's findings on the page, one line per element. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The page's content security policy refuses script tags, but doesn't apply to the debugger.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}
