import { DevelopmentIdentityError } from '@meridian/auth/development';
import { PostgresError } from '@meridian/postgres';

import { StackError } from './stack-error.ts';

/**
 * What to show of an error that ends a command: the line that was written for the person at the terminal. What the
 * system refuses, such as to write a file, is most likely due to what is in the data directory. Any other error is a bug,
 * and shows its stack.
 */
export function describeFailure(error: unknown): string {
  if (
    error instanceof StackError ||
    error instanceof PostgresError ||
    error instanceof DevelopmentIdentityError
  ) {
    return error.message;
  }
  if (error instanceof Error && 'syscall' in error) {
    return `${error.message}. Start over with: pnpm start --fresh`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
