// The regular expressions of a source file, read from its syntax tree: one in a comment or a text does not count.
import { parseSync } from 'oxc-parser';

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
  collect(parseSync(path, source).program, found);
  return found;
}

interface Node {
  readonly type?: unknown;
  /** Of a literal that is a regular expression. */
  readonly regex?: Regex;
  readonly callee?: { readonly name?: unknown };
}

function collect(node: unknown, found: { readonly literals: Regex[]; made: number }): void {
  if (typeof node !== 'object' || node === null) {
    return;
  }
  const { type, regex, callee }: Node = node;
  if (type === 'Literal' && regex !== undefined) {
    found.literals.push({ pattern: regex.pattern, flags: regex.flags });
  }
  if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
    found.made += 1;
  }
  for (const child of Object.values(node)) {
    collect(child, found);
  }
}
