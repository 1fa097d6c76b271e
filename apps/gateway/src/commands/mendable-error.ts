import { EnvironmentError } from '@meridian/config';
import { StoreTimeout, StoreUnavailable } from '@meridian/database';
import { SupergraphError } from '@meridian/executor';
import { ManifestError } from '@meridian/manifest';

/** What the person at the terminal of a command can mend: a variable, a file, a database that does not answer. */
const mendable = [EnvironmentError, ManifestError, StoreTimeout, StoreUnavailable, SupergraphError];

/** What such an error says; undefined for any other. */
export function mendableError(error: unknown): string | undefined {
  return error instanceof Error && mendable.some((kind) => error instanceof kind) ? error.message : undefined;
}
