import { UpstreamUnavailable } from '@meridian/subgraph';
import type { SubgraphContext } from '@meridian/subgraph';
import { formatTraceparent } from '@meridian/telemetry';
import { isRecord } from '@meridian/values';
import { Agent, interceptors, request } from 'undici';

/** The products subgraph, which alone knows what a tenant sells. */
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
  /** Where products answers GraphQL. */
  readonly url: string;
  /** For all of a look-up; shorter than the deadline of the request that waits for it. */
  readonly timeoutMs: number;
}

const maxConnections = 20;
/** An answer is one identifier; with errors, a few lines. */
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
    // A connection that was kept may have been closed meanwhile. A look-up changes nothing, so it may be repeated.
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
        throw new UpstreamUnavailable('products cannot be asked for a product', { cause: error });
      }
    },
  };
}

/** True when a response holds the one entity. A null beside errors is not conclusive. */
function isFound(answer: unknown): boolean {
  const [entity, ...more] = entitiesIn(answer);
  if (entity === undefined || more.length > 0) {
    throw new Error('The response is not of one entity');
  }
  return entity !== null;
}

function entitiesIn(answer: unknown): readonly unknown[] {
  if (!isRecord(answer) || answer['errors'] !== undefined || !isRecord(answer['data'])) {
    return [];
  }
  const { _entities: entities } = answer['data'];
  return Array.isArray(entities) ? entities : [];
}
