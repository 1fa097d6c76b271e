/**
 * A prefix for generated names, which end with a number: an underscore, with as many letters as it takes to differ
 * from every name in use.
 */
export function unusedPrefix(letters: string, namesInUse: readonly string[]): string {
  let prefix = `_${letters}`;
  while (namesInUse.some((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)))) {
    prefix += 'm';
  }
  return prefix;
}
