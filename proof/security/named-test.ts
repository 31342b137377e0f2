import { type CallExpression, type Expression, parseSync, Visitor } from 'oxc-parser';

/** What keeps a test from running in every run. */
const NOT_RUN = new Set(['skip', 'todo', 'skipIf', 'runIf']);

const GROUPS = new Set(['it', 'describe']);

/** The words of a callee: of `it.skip.each(…)` they are `it`, `skip` and `each`. */
function wordsOf(callee: Expression): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'CallExpression') return wordsOf(callee.callee);
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier')
    return [...wordsOf(callee.object), callee.property.name];
  return [];
}

const textOf = (argument: CallExpression['arguments'][number] | undefined): string | null =>
  argument?.type === 'Literal' && typeof argument.value === 'string'
    ? argument.value
    : argument?.type === 'TemplateLiteral'
      ? (argument.quasis[0]?.value.cooked ?? null)
      : null;

/** The titles of a file's tests that run in every run, and of the groups that hold one. Nothing that is skipped counts. Pure. */
export function titlesRun(file: string, text: string): Set<string> {
  const titles = new Set<string>();
  const open: CallExpression[] = [];
  new Visitor({
    CallExpression(call) {
      open.push(call);
      if (wordsOf(call.callee)[0] !== 'it' || textOf(call.arguments[0]) === null) return;
      if (open.some(({ callee }) => wordsOf(callee).some((word) => NOT_RUN.has(word)))) return;
      for (const {
        callee,
        arguments: [title],
      } of open)
        if (GROUPS.has(wordsOf(callee)[0] ?? '')) titles.add(textOf(title) ?? '');
    },
    'CallExpression:exit': () => void open.pop(),
  }).visit(parseSync(file, text).program);
  return titles;
}
