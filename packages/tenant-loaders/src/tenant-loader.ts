import DataLoader from 'dataloader';

/** The most keys that one batch holds. Spec: Execution rules, rule 9. */
export const maxBatchSize = 500;

/** The scope of a loader: one request of one tenant. Its caches end with the request. */
export interface TenantScope {
  readonly tenantId: string;
  /** Aborted when the request is cancelled or past its deadline: from then on nothing more is read. */
  readonly signal: AbortSignal;
  /** Called after each batch. */
  readonly onBatch?: OnBatch;
}

/** Hears how long a loader took for a batch. */
export type OnBatch = (loader: string, durationMs: number, outcome: 'success' | 'error') => void;

/**
 * Reads what belongs to at most 500 different keys of one tenant.
 *
 * @returns one value for each key, in the order of the keys, null for a missing one
 */
export type ReadBatch<Key, Value> = (
  tenantId: string,
  keys: readonly Key[],
  signal: AbortSignal,
) => Promise<readonly (Value | null)[]>;

/** Reads by key; what one request asks for at the same time is one batch, and what it asked for before is not read again. */
export interface TenantLoader<Key, Value> {
  /** The key's value, or null when there is none. Rejects when the batch fails or the request is cancelled. */
  load(key: Key): Promise<Value | null>;
}

/**
 * Makes a loader that lives for one request and belongs to one tenant: there is no way to share it wider, or to ask it
 * for another tenant's rows. Spec: Execution rules, rules 7 to 9 and 11.
 *
 * @param name names the loader in errors, such as `productById`
 * @param options.cacheKeyOf which keys are the same one; needed where a key is not a plain string or number
 */
export function createTenantLoader<Key, Value>(
  name: string,
  { tenantId, signal, onBatch }: TenantScope,
  readBatch: ReadBatch<Key, Value>,
  options: { readonly cacheKeyOf?: (key: Key) => string } = {},
): TenantLoader<Key, Value> {
  const cacheKeyFn = options.cacheKeyOf;
  return new DataLoader<Key, Value | null, unknown>(
    async (keys) => {
      signal.throwIfAborted();
      const startedMs = performance.now();
      let outcome: 'success' | 'error' = 'error';
      try {
        const values = await readBatch(tenantId, keys, signal);
        if (values.length !== keys.length) {
          throw new Error(`Cannot use the batch of ${name}: ${keys.length} keys, ${values.length} values`);
        }
        outcome = 'success';
        return values;
      } finally {
        onBatch?.(name, performance.now() - startedMs, outcome);
      }
    },
    { name, maxBatchSize, ...(cacheKeyFn === undefined ? {} : { cacheKeyFn }) },
  );
}
