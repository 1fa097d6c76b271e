import type { Logger } from '@meridian/telemetry';

import type { IdentifierStore, RegisteredOperation } from './identifier-store.ts';
import type { IdentifierUse, UsageRecords } from './usage-records.ts';

/** Persistent knowledge about identifiers. A database that does not respond stops nothing; the log says so. */
export interface IdentifierRegistry {
  /** The texts, by the keys of their identifiers, that these were first listed with, where they were with another one. */
  textsUnlike(operations: readonly RegisteredOperation[]): Promise<ReadonlyMap<string, string>>;
  /** Keeps identifiers that a manifest in force lists, in the background, now and from time to time. */
  keep(operations: readonly RegisteredOperation[]): void;
  /** The uses of operations of manifests in the last days, by the keys of their texts. */
  lastUses(textKeys: readonly string[]): Promise<readonly IdentifierUse[]>;
  close(): void;
}

export interface IdentifierRegistryOptions {
  readonly store: IdentifierStore;
  readonly records: Pick<UsageRecords, 'identifierUses'>;
  readonly keptDays: number;
  readonly logger: Logger;
}

/** The time that a start or a reload waits for the database. */
const timeoutMs = 2000;
/** Often enough that what is listed is never older than the days that are kept, and that an outage leaves no gap for long. */
const keepEveryMs = 60 * 60 * 1000;

export function createIdentifierRegistry(options: IdentifierRegistryOptions): IdentifierRegistry {
  const { store, records, keptDays, logger } = options;
  let kept: readonly RegisteredOperation[] = [];

  const orNothing = async <Result>(
    asked: Promise<Result>,
    nothing: Result,
    message: string,
  ): Promise<Result> => {
    try {
      return await asked;
    } catch (error) {
      logger.warn({ err: error }, message);
      return nothing;
    }
  };
  const register = (): void =>
    void orNothing(
      store.register(kept, AbortSignal.timeout(timeoutMs * 2)),
      undefined,
      'the identifiers of the manifest could not be recorded; it is tried again',
    );
  const timer = setInterval(register, keepEveryMs);
  timer.unref();
  return {
    textsUnlike: (operations) =>
      orNothing(
        store.textsUnlike(operations, AbortSignal.timeout(timeoutMs)),
        new Map(),
        'the texts that identifiers had before this start are not known; the manifest holds',
      ),
    keep(operations) {
      kept = operations;
      register();
    },
    lastUses: (textKeys) =>
      orNothing(
        records.identifierUses(keptDays, textKeys),
        [],
        'the last use of identifiers that left the manifest is not known',
      ),
    close: () => clearInterval(timer),
  };
}
