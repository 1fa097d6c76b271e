import process from 'node:process';

/**
 * What `read` makes of the command line of this process. A wrong one ends it, with the fault and the usage: whoever types
 * it needs those, not a stack. `--help` ends it with the usage alone.
 *
 * @param read throws an error whose message is for the person at the terminal
 */
export function flagsOrExit<Flags>(usage: string, read: () => Flags): Flags {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return process.exit(2);
  }
}

/** @throws for what is no whole number above 0 */
export function countOf(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new Error(`--${name} is "${text}"; it takes a whole number above 0`);
  }
  return count;
}
