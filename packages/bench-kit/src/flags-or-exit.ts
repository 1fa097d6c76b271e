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

/** The number that a flag holds; throws for what is no number above 0. */
export function numberAboveZero(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) {
    throw new Error(`--${flag} is "${text}"; it takes a number above 0`);
  }
  return value;
}
