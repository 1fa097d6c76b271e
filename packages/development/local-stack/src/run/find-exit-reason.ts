/**
 * The line of a program's output that best explains why it ended: the message of an uncaught error, with the place that
 * Node prints above it, or else the last line outside the structured log.
 *
 * @param checkout the prefix to remove from paths, with a trailing slash
 */
export function findExitReason(output: string, checkout: string): string | undefined {
  const lines = output.split('\n');
  const at = lines.findLastIndex((line) => /^\w*Error\b/u.test(line));
  const message = lines[at];
  if (message === undefined) {
    return reportedReason(lines) ?? lines.findLast((line) => !surroundings.test(line));
  }
  const place = lines
    .slice(0, at)
    .map((line) => /^(?:file:\/\/)?(?<path>\/\S+:\d+)$/u.exec(line)?.groups?.['path'])
    .findLast((path) => path !== undefined);
  return place === undefined ? message : `${place.replace(checkout, '')} ${message}`;
}

/**
 * The reason that a service reports by itself: all its lines, where each names a place in a schema, and otherwise the
 * first, with the place that GraphQL prints below it.
 */
function reportedReason(lines: readonly string[]): string | undefined {
  const at = lines.findLastIndex((line) => /^\S+ cannot start: /u.test(line));
  const reason = lines[at];
  if (reason === undefined) {
    return undefined;
  }
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^\S+:\d+:\d+ /u.test(line));
  const place = below.find((line) => /^\S+:\d+:\d+$/u.test(line));
  return [place === undefined ? reason : `${reason} (${place})`, ...below.slice(0, end)].join('\n');
}

/**
 * Matches log lines, and lines around the message of an uncaught error: stack frames, the line of code, the version of
 * Node.
 */
const surroundings = /^(?:\s|\{|\}|\^|node:|file:\/\/|Node\.js v)|^$/u;
