import type { Argument, Expression, PrivateIdentifier, Program } from 'oxc-parser';
import { Visitor } from 'oxc-parser';

/** A call of `describe`, `it` or `test`, in any of jest's forms: `.each`, `.skip`, `.concurrent` … */
export interface JestBlock {
  readonly isTest: boolean;
  /** The position of the title's first character. */
  readonly start: number;
  /** As jest prints it, after the titles of the blocks around it. Each expression in it is `${…}`. */
  readonly fullName: string;
  /** False for one that is skipped or to be done, and for what is in it. */
  readonly runs: boolean;
  readonly isOutermost: boolean;
}

/** The blocks of a test file, in order. */
export function jestBlocks(program: Program): readonly JestBlock[] {
  const blocks: JestBlock[] = [];
  const around: { readonly end: number; readonly block: JestBlock }[] = [];
  new Visitor({
    CallExpression({ start, end, callee, arguments: [title] }) {
      const [name = '', ...modifiers] = wordsOf(callee);
      const text = title === undefined ? undefined : titleOf(title);
      if (title === undefined || text === undefined || !/^[fx]?(?:describe|it|test)$/u.test(name)) {
        return;
      }
      while ((around.at(-1)?.end ?? end) < start) {
        around.pop();
      }
      const outer = around.at(-1)?.block;
      const block = {
        isTest: !name.endsWith('describe'),
        start: title.start + 1,
        fullName: outer === undefined ? text : `${outer.fullName} ${text}`,
        runs:
          outer?.runs !== false &&
          !name.startsWith('x') &&
          !modifiers.includes('skip') &&
          !modifiers.includes('todo'),
        isOutermost: outer === undefined,
      };
      blocks.push(block);
      around.push({ end, block });
    },
  }).visit(program);
  return blocks;
}

/** `it.concurrent.each(table)` → `['it', 'concurrent', 'each']`. */
function wordsOf(callee: Expression): readonly string[] {
  if (callee.type === 'Identifier') {
    return [callee.name];
  }
  if (callee.type === 'MemberExpression') {
    const { object, property } = callee;
    return [...wordsOf(object), ...(property.type === 'Identifier' ? [property.name] : [])];
  }
  if (callee.type === 'CallExpression') {
    return wordsOf(callee.callee);
  }
  return callee.type === 'TaggedTemplateExpression' ? wordsOf(callee.tag) : [];
}

/** The text of a title: a string, a template, or several joined with `+`; undefined for any other expression. */
function titleOf(expression: Argument | PrivateIdentifier): string | undefined {
  if (expression.type === 'Literal') {
    return typeof expression.value === 'string' ? expression.value : undefined;
  }
  if (expression.type === 'TemplateLiteral') {
    return expression.quasis.map(({ value }) => value.cooked ?? '').join('${…}');
  }
  if (expression.type !== 'BinaryExpression') {
    return undefined;
  }
  const left = titleOf(expression.left);
  return left === undefined ? undefined : left + (titleOf(expression.right) ?? '${…}');
}
