/** What the system says when it refuses something: it names what was tried, and on which file. */
export function systemError(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}
