// Where the full names of a test file's tests begin, from its syntax tree.

interface Node {
  readonly type?: unknown;
  readonly start?: unknown;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly callee?: unknown;
  readonly object?: unknown;
  readonly tag?: unknown;
  readonly left?: unknown;
  readonly arguments?: unknown;
}

/** The positions of the first characters of titles of `describe`, `it` and `test` that are in no other block. */
export function outermostTitles(node: unknown): number[] {
  if (!isNode(node)) {
    return [];
  }
  const title = Array.isArray(node.arguments) && isOfJest(node.callee) ? startOfText(node.arguments[0]) : [];
  return title.length > 0 ? title : Object.values(node).flatMap(outermostTitles);
}

/** Tells whether a callee belongs to jest in any of its forms: `it`, `it.skip`, `it.each(table)`. */
function isOfJest(callee: unknown): boolean {
  if (!isNode(callee)) {
    return false;
  }
  return callee.type === 'Identifier'
    ? callee.name === 'describe' || callee.name === 'it' || callee.name === 'test'
    : isOfJest(callee.callee ?? callee.object ?? callee.tag);
}

/** The position after the opening quote of a string, a template, or several joined with `+`; of anything else, none. */
function startOfText(expression: unknown): number[] {
  if (!isNode(expression)) {
    return [];
  }
  if (expression.type === 'BinaryExpression') {
    return startOfText(expression.left);
  }
  const isText = expression.type === 'TemplateLiteral' || typeof expression.value === 'string';
  return isText && typeof expression.start === 'number' ? [expression.start + 1] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
