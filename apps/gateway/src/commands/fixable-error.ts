import { EnvironmentError } from '@meridian/config';
import { StoreTimeout, StoreUnavailable } from '@meridian/database/statements';
import { SupergraphError } from '@meridian/executor';
import { ManifestError } from '@meridian/manifest';

/** Errors that the user of a command can fix: a variable, a file, a database that does not respond. */
const mendable = [EnvironmentError, ManifestError, StoreTimeout, StoreUnavailable, SupergraphError];

/** The message of such an error; undefined for any other. */
export function mendableError(error: unknown): string | undefined {
  return error instanceof Error && mendable.some((kind) => error instanceof kind) ? error.message : undefined;
}
