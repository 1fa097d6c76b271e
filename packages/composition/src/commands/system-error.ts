/** The system's message for a failed operation: it names the operation and the file. */
export function systemError(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}
