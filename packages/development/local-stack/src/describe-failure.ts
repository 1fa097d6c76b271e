import { DevelopmentIdentityError } from '@meridian/auth/development';
import { PostgresError } from '@meridian/postgres';

import { checkout, defaultDataRoot } from './data-directory.ts';
import { StackError } from './stack-error.ts';

/**
 * Formats an error that ends a command: a `StackError` or the like as its one line. A system error about a file outside
 * the checkout is most likely due to the content of the data directory. Any other error is a bug, and shows its stack.
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
    const isData = 'path' in error && typeof error.path === 'string' && !isOfCheckout(error.path);
    return isData ? `${error.message}. Start over with: pnpm start --fresh` : error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An error about the sources: a fresh start would not fix it. */
function isOfCheckout(path: string): boolean {
  return path.startsWith(checkout) && !path.startsWith(defaultDataRoot);
}
