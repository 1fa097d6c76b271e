// The regular expressions of a source file, read from its syntax tree: one in a comment or a text does not count.
import type { Expression } from 'oxc-parser';
import { Visitor, parseSync } from 'oxc-parser';

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
  const literals: Regex[] = [];
  let made = 0;
  const countCall = ({ callee }: { readonly callee: Expression }): void => {
    made += callee.type === 'Identifier' && callee.name === 'RegExp' ? 1 : 0;
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) {
        literals.push({ pattern: node.regex.pattern, flags: node.regex.flags });
      }
    },
    CallExpression: countCall,
    NewExpression: countCall,
  }).visit(parseSync(path, source).program);
  return { literals, made };
}
