import { EnvironmentError } from '@meridian/settings/environment';
import { StoreTimeout, StoreUnavailable } from '@meridian/database/statements';
import { SupergraphError } from '@meridian/executor';
import { ManifestError } from '@meridian/manifest';

/** Errors that the user of a command can fix: a variable, a file, a database that does not respond. */
const fixable = [EnvironmentError, ManifestError, StoreTimeout, StoreUnavailable, SupergraphError];

/** The message of such an error; undefined for any other. */
export function fixableErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && fixable.some((kind) => error instanceof kind) ? error.message : undefined;
}
