// The regular expressions of a source file, read from its syntax tree: one in a comment or a text does not count.
import { parseSync } from '@swc/core';

/** A regular expression as it is written. */
export interface Regex {
  readonly pattern: string;
  readonly flags: string;
}

/** The regular expressions of a file. */
export interface FileRegexes {
  readonly literals: readonly Regex[];
  /** The number of calls of `RegExp` with a text. */
  readonly made: number;
}

export function regexesIn(path: string, source: string): FileRegexes {
  const found = { literals: new Array<Regex>(), made: 0 };
  collect(parseSync(source, { syntax: 'typescript', tsx: path.endsWith('.tsx'), target: 'es2024' }), found);
  return found;
}

interface Node {
  readonly type?: unknown;
  readonly pattern?: unknown;
  readonly flags?: unknown;
  readonly callee?: { readonly value?: unknown };
}

function collect(node: unknown, found: { readonly literals: Regex[]; made: number }): void {
  if (typeof node !== 'object' || node === null) {
    return;
  }
  const { type, pattern, flags, callee }: Node = node;
  if (type === 'RegExpLiteral' && typeof pattern === 'string' && typeof flags === 'string') {
    found.literals.push({ pattern, flags });
  }
  if ((type === 'NewExpression' || type === 'CallExpression') && callee?.value === 'RegExp') {
    found.made += 1;
  }
  for (const child of Object.values(node)) {
    collect(child, found);
  }
}
