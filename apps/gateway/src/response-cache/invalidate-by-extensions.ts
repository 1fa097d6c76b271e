import type { SubgraphInterceptor } from '@meridian/executor';
import { jsonMembers, wholeOf } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import type { Logger } from '@meridian/telemetry';

import type { Run } from '../operation/run.ts';
import type { Invalidation } from './invalidate.ts';
import { readInvalidations } from './invalidate.ts';

/**
 * Invalidates what the responses of a subgraph name in `extensions.invalidation`, before the run gets them: a client reads
 * what it has written.
 */
export function invalidateByExtensions(
  invalidate: (invalidations: readonly Invalidation[]) => Promise<unknown>,
  logger: Logger,
): SubgraphInterceptor<Run> {
  return async (request, next) => {
    const response = await next(request);
    if (response.text.includes('"invalidation"')) {
      try {
        const named = invalidationIn(response.text);
        if (named !== undefined) {
          await invalidate(readInvalidations(named));
        }
      } catch (error) {
        logger.warn({ err: error, subgraph: request.subgraph }, 'the invalidation in a response failed');
      }
    }
    return response;
  };
}

function invalidationIn(text: string | Buffer): unknown {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const range = jsonMembers(bytes, wholeOf(bytes))?.get('extensions');
  const extensions: unknown =
    range === undefined ? undefined : JSON.parse(bytes.toString('utf8', range.start, range.end));
  return isRecord(extensions) ? extensions['invalidation'] : undefined;
}
