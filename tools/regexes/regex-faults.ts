// Which regular expressions could be made to take more than linear time. V8 backtracks: with one of these, a text of 60
// kB that a client chose stops a process for seconds.
import { checkSync } from 'recheck';
import type { Expression } from 'oxc-parser';
import { Visitor, parseSync } from 'oxc-parser';

import type { FindFault, Regex } from './kept-verdicts.ts';

/** Source files by their path. */
export type Sources = ReadonlyMap<string, string>;

/**
 * Lists the files that make regular expressions of texts, which cannot be analysed, each with the reason why it may.
 * The name of a file that no longer does is a fault too.
 */
export type MadeOfTexts = Readonly<Record<string, string>>;

/**
 * One sentence for each fault, beginning with the file and the line.
 *
 * @param findFault analyses one expression
 */
export function regexFaults(
  sources: Sources,
  madeOfTexts: MadeOfTexts,
  findFault: FindFault = analyse,
): string[] {
  const makers = new Set<string>();
  const faults: string[] = [];
  for (const [path, source] of sources) {
    const { literals, made } = regexesIn(path, source);
    for (const regex of literals) {
      const fault = findFault(regex);
      if (fault !== undefined) {
        const literal = `/${regex.pattern}/${regex.flags}`;
        faults.push(`${path}:${lineOf(literal, source)}: ${literal} ${fault}`);
      }
    }
    if (made > 0) {
      makers.add(path);
    }
  }
  return [
    ...faults,
    ...[...makers]
      .filter((path) => !(path in madeOfTexts))
      .map((path) => `${path}: makes a regular expression of a text, which is not listed with a reason`),
    ...Object.keys(madeOfTexts)
      .filter((path) => !makers.has(path))
      .map((path) => `${path}: is listed, and makes no regular expression of a text`),
  ];
}

/** The analysis takes a fraction of a second, and of some expressions ten seconds. */
export function analyse({ pattern, flags }: Regex): string | undefined {
  const diagnosis = checkSync(pattern, flags, {
    // The analysis by examples draws lots, the same ones each time, and counts steps. Without limits of time the
    // verdict is the same on a busy machine.
    randomSeed: 1,
    timeout: null,
    attackTimeout: null,
    incubationTimeout: null,
    seedingTimeout: null,
  });
  if (diagnosis.status === 'safe') {
    return undefined;
  }
  return diagnosis.status === 'vulnerable'
    ? `takes ${diagnosis.complexity.summary} time, for example with ${diagnosis.attack.pattern}`
    : `cannot be analysed (${diagnosis.error.kind})`;
}

function lineOf(literal: string, source: string): number {
  return source.slice(0, source.indexOf(literal)).split('\n').length;
}

/** The regular expressions of a file. */
interface FileRegexes {
  readonly literals: readonly Regex[];
  /** The number of calls of `RegExp` with a text. */
  readonly made: number;
}

function regexesIn(path: string, source: string): FileRegexes {
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
