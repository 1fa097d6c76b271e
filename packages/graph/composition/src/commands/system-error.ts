/**
 * The message for a failed operation of the system: what was done with which file, and the reason. `ENOENT: no such file
 * or directory, open 'x'` becomes `Cannot open x: no such file or directory`.
 */
export function systemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) {
    return undefined;
  }
  const [, reason, call, file] = /^E[A-Z]+: (.+), (\w+) '(.+?)'/u.exec(error.message) ?? [];
  return reason === undefined ? error.message : `Cannot ${call} ${file}: ${reason}`;
}
