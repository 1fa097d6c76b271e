/**
 * A prefix for generated names, which go on with a number: an underscore, and letters as far as they are needed for no name in
 * use to look like a generated one.
 */
export function unusedPrefix(letters: string, namesInUse: readonly string[]): string {
  let prefix = `_${letters}`;
  while (namesInUse.some((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)))) {
    prefix += 'm';
  }
  return prefix;
}
