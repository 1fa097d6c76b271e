import type { Regex } from './regexes-in.ts';

/** One character of an expression: an escape other than a reference to a group, or a class. */
const escapedOrClass = /\\[pP]\{[^}]*\}|\\[^1-9k]|\[(?:[^\]\\]|\\.)*\]/gu;
const anyQuantifier = /[*+]|\{\d+(?:,\d*)?\}/gu;

/**
 * True when an expression takes linear time without an analysis: it matches from the start of the text only,
 * has neither groups nor alternatives, and repeats one character at most. So there is one position to begin
 * at, and one count to go back over.
 */
export function isPlainlyLinear({ pattern, flags }: Regex): boolean {
  if (!pattern.startsWith('^') || /[mv]/u.test(flags)) {
    return false;
  }
  const characters = pattern.slice(1).replaceAll(escapedOrClass, 'x');
  return !/[\\()|?]/u.test(characters) && (characters.match(anyQuantifier) ?? []).length <= 1;
}
