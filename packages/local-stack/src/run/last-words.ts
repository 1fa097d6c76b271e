/**
 * The line of a program's output that says best why it ended: the message of an error that nobody caught, or else the last
 * line that is no structured log.
 */
export function lastWords(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => !surroundings.test(line));
  return lines.findLast((line) => /^\w*Error\b/u.test(line)) ?? lines.at(-1);
}

/** Log lines, and what surrounds the message of an uncaught error: stack frames, the line of code, the version of Node. */
const surroundings = /^(?:\s|\{|\}|\^|node:|file:\/\/|Node\.js v)|^$/u;
