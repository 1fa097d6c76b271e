import { fileURLToPath } from 'node:url';

/** Hooks that cannot be loaded. The message names the file, and the line where there is one. */
export class HooksError extends Error {
  override readonly name = 'HooksError';
}

/** The line after the name of a file, as Node writes it before the text of a fault, and in the lines of a stack. */
const lineAfterName = /^(?:\?[^\s():]{1,100})?:(\d{1,9})/u;

/** @param files of the hooks, as URLs: a place in another file is where the fault shows, not where it is */
export function hooksErrorOf(error: unknown, specifier: string, files: readonly string[]): HooksError {
  if (error instanceof HooksError) {
    return error;
  }
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const places = stack.split('\n').flatMap((line) =>
    files.flatMap((file) => {
      const path = fileURLToPath(file);
      // A stack has the URL, a fault of syntax the path.
      const name = [file, path].find((each) => line.includes(each));
      const rest = name === undefined ? '' : line.slice(line.indexOf(name) + name.length);
      const [, number] = lineAfterName.exec(rest) ?? [];
      return number === undefined ? [] : [`${path}:${number}`];
    }),
  );
  const where = places[0] ?? specifier;
  return new HooksError(`meridian.hooks: ${where}: ${withoutVersions(message)}`, { cause: error });
}

function withoutVersions(message: string): string {
  return message.replaceAll(/\?meridian-hooks=\d+/gu, '');
}
