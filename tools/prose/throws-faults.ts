// What a function throws is said in one way: `@throws {Problem} …`, in its docstring.
import type { Expression, Program, Span } from 'oxc-parser';
import { Visitor } from 'oxc-parser';

import type { ProseFault, ProseFile } from './prose-file.ts';
import { faultAt } from './prose-file.ts';

/**
 * The faults of one file of TypeScript, in the order of their lines: "Throws" in a sentence, `@throws` without a type,
 * and an exported function that throws an error of a class of its own without a word of it.
 */
export function throwsFaults(file: ProseFile): ProseFault[] {
  const { path, source, code } = file;
  if (code === undefined || !documented.test(path)) {
    return [];
  }
  const { program, comments } = code;
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  const inDocs = docs.flatMap(({ start, value }) =>
    Array.from(value.matchAll(otherStyles), ({ index, 0: phrase }) =>
      faultAt(file, start + 2 + index, phrase.trim(), '`@throws {Type} when …`, on a line of its own'),
    ),
  );
  const undocumented = exportedFunctions(program).flatMap(({ start, name, thrown }) => {
    const doc = docs.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '');
    return thrown === undefined || doc?.value.includes('@throws') === true
      ? []
      : [faultAt(file, start, `${name} throws ${thrown}`, '`@throws {Type} when …` above it')];
  });
  return [...inDocs, ...undocumented].toSorted((one, other) => one.line - other.line);
}

/** The files whose docstrings say what functions throw. */
const documented = /^(?!.*\/test\/).*\.tsx?$/u;

const otherStyles = /(?<=^\*|\.|\n *\*) +Throws\b|@throws(?! \{\w+\})/gu;

interface ExportedFunction {
  readonly start: number;
  readonly name: string;
  /** The first error that the function itself throws, not a function in it; undefined where it throws none. */
  readonly thrown: string | undefined;
}

function exportedFunctions(program: Program): readonly ExportedFunction[] {
  const functions: Span[] = [];
  const throws: { readonly start: number; readonly thrown: string }[] = [];
  const add = (span: Span): void => void functions.push(span);
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
    ThrowStatement({ start, argument }) {
      const thrown = errorMadeBy(argument);
      throws.push(...(thrown === undefined ? [] : [{ start, thrown }]));
    },
  }).visit(program);
  // Functions are in the order of their starts: the last one around a statement is the innermost.
  const around = (position: number): Span | undefined =>
    functions.findLast(({ start, end }) => start < position && position < end);
  return program.body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : null;
    if (declared?.type !== 'FunctionDeclaration') {
      return [];
    }
    const own = throws.find(({ start }) => around(start)?.start === declared.start);
    return [{ start: node.start, name: declared.id?.name ?? '', thrown: own?.thrown }];
  });
}

/** The class of a new error, or the function that makes it; undefined for one that is passed on, and for a bug. */
function errorMadeBy(expression: Expression): string | undefined {
  if (expression.type !== 'NewExpression' && expression.type !== 'CallExpression') {
    return undefined;
  }
  const name = expression.callee.type === 'Identifier' ? expression.callee.name : undefined;
  return expression.type === 'NewExpression' && name === 'Error' ? undefined : String(name);
}
