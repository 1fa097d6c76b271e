import type { Logger } from '@meridian/telemetry';

import type { IdentifierStore, RegisteredOperation } from './identifier-store.ts';
import type { IdentifierUse, UsageRecords } from './usage-records.ts';

export interface IdentifierRegistryOptions {
  readonly store: IdentifierStore;
  readonly records: Pick<UsageRecords, 'identifierUses'>;
  readonly keptDays: number;
  readonly logger: Logger;
}

/** The time that a start or a reload waits for the database. */
const timeoutMs = 2000;
/** Often enough that no listed identifier expires, and that a gap after an outage is short. */
const keepEveryMs = 60 * 60 * 1000;

/** Persistent knowledge about identifiers. A database that does not respond stops nothing; the log says so. */
export function createIdentifierRegistry({ store, records, keptDays, logger }: IdentifierRegistryOptions) {
  let kept: readonly RegisteredOperation[] = [];

  const orNothing = async <Result>(
    pending: Promise<Result>,
    nothing: Result,
    message: string,
  ): Promise<Result> => {
    try {
      return await pending;
    } catch (error) {
      logger.warn({ err: error }, message);
      return nothing;
    }
  };
  const register = (): void =>
    void orNothing(
      store.register(kept, AbortSignal.timeout(timeoutMs * 2)),
      undefined,
      'the identifiers of the manifest could not be recorded; retrying',
    );
  const timer = setInterval(register, keepEveryMs).unref();
  return {
    /** The registered texts, by the keys of their identifiers, of those that were first listed with another text. */
    textsUnlike: (operations: readonly RegisteredOperation[]): Promise<ReadonlyMap<string, string>> =>
      orNothing(
        store.textsUnlike(operations, AbortSignal.timeout(timeoutMs)),
        new Map(),
        'the registered texts of identifiers are unknown; using the texts of the manifest',
      ),
    /** Stores the identifiers of the manifest in force, in the background, now and periodically. */
    keep(operations: readonly RegisteredOperation[]): void {
      kept = operations;
      register();
    },
    /** The uses of operations of manifests in the last days, by the keys of their texts. */
    lastUses: (textKeys: readonly string[]): Promise<readonly IdentifierUse[]> =>
      orNothing(
        records.identifierUses(keptDays, textKeys),
        [],
        'the last use of identifiers that left the manifest is unknown',
      ),
    close: (): void => clearInterval(timer),
  };
}

export type IdentifierRegistry = ReturnType<typeof createIdentifierRegistry>;
