// Which tests a file holds, read from its syntax tree: a name in a comment or in a skipped test does not count.
import { parseSync } from 'oxc-parser';

/**
 * The full names of a file's tests as jest prints them: titles of the `describe` blocks around one, then its own, apart
 * by spaces. Skipped tests and to-dos are left out. Of a template literal's expressions only `${…}` is left.
 */
export function testNames(source: string): Set<string> {
  const names = new Set<string>();
  collect(parseSync('tests.ts', source, { preserveParens: false }).program, [], names);
  return names;
}

/** A test's name with every `${expression}` replaced by `${…}`, the form in which names are compared. */
export function withoutExpressions(name: string): string {
  return name.replaceAll(/\$\{[^}]*\}/gu, '${…}');
}

function collect(node: unknown, titles: readonly string[], names: Set<string>): void {
  if (typeof node !== 'object' || node === null) {
    return;
  }
  const block = blockAt(node);
  if (block?.runs === false) {
    return;
  }
  const inner = block === undefined ? titles : [...titles, block.title];
  if (block?.kind === 'test') {
    names.add(inner.join(' '));
  }
  for (const child of Object.values(node)) {
    collect(child, inner, names);
  }
}

interface Block {
  readonly kind: 'describe' | 'test';
  readonly title: string;
  readonly runs: boolean;
}

/** The `describe(…)`, `it(…)` or `test(…)` that a node is, in any of jest's forms: `.each`, `.skip`, `.concurrent` … */
function blockAt(node: object): Block | undefined {
  if (typeOf(node) !== 'CallExpression') {
    return undefined;
  }
  const [name = '', ...modifiers] = calleeWords(at(node, 'callee'));
  const title = titleOf(at(at(node, 'arguments'), 0));
  if (title === undefined || !/^[fx]?(?:describe|it|test)$/u.test(name)) {
    return undefined;
  }
  return {
    kind: name.endsWith('describe') ? 'describe' : 'test',
    title,
    runs: !name.startsWith('x') && !modifiers.includes('skip') && !modifiers.includes('todo'),
  };
}

/** `it.concurrent.each(table)` → `['it', 'concurrent', 'each']`. */
function calleeWords(callee: unknown): string[] {
  switch (typeOf(callee)) {
    case 'Identifier':
      return [String(at(callee, 'name'))];
    case 'MemberExpression':
      return [...calleeWords(at(callee, 'object')), ...calleeWords(at(callee, 'property'))];
    case 'CallExpression':
      return calleeWords(at(callee, 'callee'));
    case 'TaggedTemplateExpression':
      return calleeWords(at(callee, 'tag'));
    default:
      return [];
  }
}

/** The text of a title: a string, a template, or several joined with `+`; of anything else, nothing. */
function titleOf(expression: unknown): string | undefined {
  switch (typeOf(expression)) {
    case 'Literal': {
      const value = at(expression, 'value');
      return typeof value === 'string' ? value : undefined;
    }
    case 'TemplateLiteral':
      return Object.values(at(expression, 'quasis') ?? {})
        .map((quasi: unknown) => String(at(at(quasi, 'value'), 'cooked')))
        .join('${…}');
    case 'BinaryExpression': {
      const left = titleOf(at(expression, 'left'));
      const right = titleOf(at(expression, 'right'));
      return left === undefined || right === undefined ? undefined : left + right;
    }
    default:
      return undefined;
  }
}

function typeOf(node: unknown): unknown {
  return at(node, 'type');
}

/** A member of a syntax tree's node or list, whatever it is. */
function at(node: unknown, key: string | number): unknown {
  return typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined;
}
