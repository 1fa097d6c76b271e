// What a function throws is said in one way: `@throws {Problem} …`, in its docstring.
import { parseSync } from 'oxc-parser';

import type { ProseFault } from './prose-faults.ts';

/**
 * The faults of one file of TypeScript, in the order of their lines: "Throws" in a sentence, `@throws` without a type,
 * and an exported function that throws an error of a class of its own without a word of it.
 */
export function throwsFaults(path: string, source: string): ProseFault[] {
  const { program, comments } = parseSync(path, source, { preserveParens: false });
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  const inDocs = docs.flatMap(({ start, value }) =>
    Array.from(value.matchAll(otherStyles), (match) => ({
      position: start + 2 + match.index,
      phrase: match[0].trim(),
      instead: '`@throws {Type} when …`, on a line of its own',
    })),
  );
  const undocumented = exportedFunctions(program).flatMap(({ start, name, thrown }) => {
    const doc = docs.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '');
    return thrown === undefined || doc?.value.includes('@throws') === true
      ? []
      : [
          {
            position: start,
            phrase: `${name} throws ${thrown}`,
            instead: '`@throws {Type} when …` above it',
          },
        ];
  });
  return [...inDocs, ...undocumented]
    .toSorted((one, other) => one.position - other.position)
    .map(({ position, phrase, instead }) => {
      const line = source.slice(0, position).split('\n').length;
      return { path, line, phrase, instead };
    });
}

const otherStyles = /(?<=^\*|\.|\n *\*) +Throws\b|@throws(?! \{\w+\})/gu;

interface ExportedFunction {
  readonly start: number;
  readonly name: string;
  /** The first error that the function itself throws; undefined where it throws none. */
  readonly thrown: string | undefined;
}

interface Node {
  readonly type?: unknown;
  readonly start?: unknown;
  readonly declaration?: unknown;
  readonly id?: { readonly name?: unknown } | null;
  readonly body?: unknown;
  readonly argument?: unknown;
  readonly callee?: unknown;
  readonly name?: unknown;
}

function exportedFunctions(program: { readonly body: readonly unknown[] }): ExportedFunction[] {
  return program.body.flatMap((statement) => {
    const { type, start, declaration } = asNode(statement);
    const { type: kind, id, body } = asNode(declaration);
    return type === 'ExportNamedDeclaration' && kind === 'FunctionDeclaration' && typeof start === 'number'
      ? [{ start, name: String(id?.name), thrown: thrownIn(body) }]
      : [];
  });
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * The error of the first `throw` below a node, not below a function in it. An error that is passed on and a bug count
 * as none.
 */
function thrownIn(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) {
    return undefined;
  }
  const { type, argument } = asNode(node);
  if (functions.has(String(type))) {
    return undefined;
  }
  if (type === 'ThrowStatement') {
    const { type: made, callee } = asNode(argument);
    const { name } = asNode(callee);
    return (made === 'NewExpression' && name !== 'Error') || made === 'CallExpression'
      ? String(name)
      : undefined;
  }
  for (const child of Object.values(node)) {
    const thrown = thrownIn(child);
    if (thrown !== undefined) {
      return thrown;
    }
  }
  return undefined;
}

function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null ? value : {};
}
