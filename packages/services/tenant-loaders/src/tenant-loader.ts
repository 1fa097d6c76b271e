import DataLoader from 'dataloader';

/** The most keys of a batch. Spec: Execution rules, rule 9. */
export const maxBatchSize = 500;

/** The scope of a loader: one request of one tenant. Its caches end with the request. */
export interface TenantScope {
  readonly tenantId: string;
  /** Aborts when the request is cancelled or past its deadline: nothing is read afterwards. */
  readonly signal: AbortSignal;
  /** Called after each batch. */
  readonly onBatch?: OnBatch;
}

/** Called with the duration of each batch of a loader. */
export type OnBatch = (loader: string, durationMs: number, outcome: 'success' | 'error') => void;

/**
 * Reads the values of at most 500 different keys of one tenant.
 *
 * @returns one value for each key, in the order of the keys, null for a missing one
 */
export type ReadBatch<Key, Value> = (
  tenantId: string,
  keys: readonly Key[],
  signal: AbortSignal,
) => Promise<readonly (Value | null)[]>;

/** Reads by key. Keys that a request needs at the same time are one batch, and none is read twice. */
export interface TenantLoader<Key, Value> {
  /** The key's value, or null if there is none. Rejects when the batch fails or the request is cancelled. */
  load(key: Key): Promise<Value | null>;
}

/**
 * Creates a loader of one request and one tenant. It cannot be shared more widely, nor read another tenant's rows.
 * Spec: Execution rules, rules 7 to 9 and 11.
 *
 * @param name names the loader in errors, such as `productById`
 * @param options.cacheKeyOf maps equal keys to one value; needed if a key is not a plain string or number
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
