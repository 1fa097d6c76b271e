import { UpstreamUnavailable } from '@meridian/subgraph';
import type { SubgraphContext } from '@meridian/subgraph';
import { formatTraceparent } from '@meridian/telemetry';
import { isRecord } from '@meridian/settings/values';
import { Agent, interceptors, request } from 'undici';

/** The products subgraph: only it knows what a tenant sells. */
export interface ProductsClient {
  /**
   * True when the caller's tenant has the product. Asks as the caller, under the request's signal.
   *
   * @throws {UpstreamUnavailable} when products gives no valid response
   */
  has(
    id: string,
    caller: Pick<SubgraphContext<unknown>, 'authorization' | 'trace' | 'signal'>,
  ): Promise<boolean>;
}

export interface ProductsClientOptions {
  /** The URL of its graph endpoint. */
  readonly url: string;
  /** The time for a whole look-up; shorter than the deadline of the request that waits for it. */
  readonly timeoutMs: number;
}

const maxConnections = 20;
/** A response has one identifier; with errors, a few lines. */
const maxResponseBytes = 64 * 1024;

const query =
  'query ReviewedProduct($representations: [_Any!]!) { _entities(representations: $representations) { ... on Product { id } } }';

/** Creates a client that keeps its connections. It follows no redirects. */
export function createProductsClient({ url, timeoutMs }: ProductsClientOptions): ProductsClient {
  const dispatcher = new Agent({
    connections: maxConnections,
    connect: { timeout: timeoutMs },
    maxResponseSize: maxResponseBytes,
  }).compose(
    // Products may have closed a kept connection. A look-up changes nothing, so it may be repeated.
    interceptors.retry({ methods: ['POST'], maxRetries: 1, minTimeout: 0, statusCodes: [] }),
  );

  return {
    async has(id, { authorization, trace, signal }) {
      try {
        const { statusCode, body } = await request(url, {
          dispatcher,
          method: 'POST',
          headers: {
            authorization,
            traceparent: formatTraceparent(trace),
            accept: 'application/json',
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            query,
            variables: { representations: [{ __typename: 'Product', id }] },
          }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        if (statusCode !== 200) {
          await body.dump();
          throw new Error(`Status ${statusCode}`);
        }
        return isFound(await body.json());
      } catch (error) {
        signal.throwIfAborted();
        throw new UpstreamUnavailable('the look-up of a product failed', { cause: error });
      }
    },
  };
}

/** True when a response holds the one entity. A null beside errors is not conclusive. */
function isFound(response: unknown): boolean {
  const [entity, ...more] = entitiesIn(response);
  if (entity === undefined || more.length > 0) {
    throw new Error('The response does not have one entity');
  }
  return entity !== null;
}

function entitiesIn(response: unknown): readonly unknown[] {
  if (!isRecord(response) || response['errors'] !== undefined || !isRecord(response['data'])) {
    return [];
  }
  const { _entities: entities } = response['data'];
  return Array.isArray(entities) ? entities : [];
}
