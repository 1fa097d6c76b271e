/** Hooks that cannot be loaded. The message names the file, and the line where there is one. */
export class HooksError extends Error {
  override readonly name = 'HooksError';
}

/** A place in a file, as Node writes it before the text of a fault, and in the lines of a stack. */
const place = /((?:file:\/\/)?\/[^\s?():]+)(?:\?[^\s():]*)?:(\d+)(?::(\d+))?/u;

/** @param files of the hooks, as URLs: a place in another file is where the fault shows, not where it is */
export function hooksErrorOf(error: unknown, specifier: string, files: readonly string[]): HooksError {
  if (error instanceof HooksError) {
    return error;
  }
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const at = stack
    .split('\n')
    .map((line) => place.exec(line))
    .find((match) => match !== null && files.some((file) => file.endsWith(match[1] ?? '')));
  const path = at?.[1]?.replace('file://', '');
  const where = at === null || at === undefined ? specifier : `${path}:${at[2]}`;
  return new HooksError(`meridian.hooks: ${where}: ${withoutVersions(message)}`, { cause: error });
}

function withoutVersions(message: string): string {
  return message.replaceAll(/\?meridian-hooks=\d+/gu, '');
}
