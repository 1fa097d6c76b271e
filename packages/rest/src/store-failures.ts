// The problems for failures of the store. Any other failure stays unchanged, and is shown as `internal`.
import { OutcomeUnknown, StoreTimeout } from '@meridian/database';
import { problem } from '@meridian/problem-details';

/**
 * The result of a lookup. Spec: GET, "Lookup deadline exceeded".
 *
 * @throws {Problem} `upstream-timeout`
 */
export async function mapReadErrors<Result>(lookup: Promise<Result>): Promise<Result> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof StoreTimeout) {
      throw problem('upstream-timeout', 'The store did not answer in time.', { cause: error });
    }
    throw error;
  }
}

/**
 * The result of a write. The client has to know whether it can repeat the write unchanged.
 *
 * @param resource the resource to read for the outcome, such as `account`
 * @throws {Problem} `upstream-timeout` when nothing was written, `internal` when the outcome is unknown
 */
export async function mapWriteErrors<Result>(resource: string, write: Promise<Result>): Promise<Result> {
  return await mapErrors(resource, write, 'upstream-timeout');
}

/**
 * The result of a PUT's compare-and-swap. Spec: PUT, "Any other swap failure", which a swap that the store gave up in time is too.
 *
 * @throws {Problem} `internal`
 */
export async function mapSwapErrors<Result>(resource: string, swap: Promise<Result>): Promise<Result> {
  return await mapErrors(resource, swap, 'internal');
}

async function mapErrors<Result>(
  resource: string,
  write: Promise<Result>,
  nothingWritten: 'upstream-timeout' | 'internal',
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof OutcomeUnknown) {
      throw problem('internal', `Outcome unknown; read the ${resource} again.`, { cause: error });
    }
    if (error instanceof StoreTimeout) {
      throw problem(nothingWritten, 'The store did not answer in time; nothing was written.', {
        cause: error,
      });
    }
    throw error;
  }
}
