import type { HttpResponse } from '@meridian/http';
import type { GraphQLFormattedError } from 'graphql';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { TokenExpired } from '../errors/token-expired.ts';
import type { DeferFormat } from '../http/media-types.ts';
import type { GatewayRequest } from '../interceptors/gateway-request.ts';
import type { RunBatch, RunError, RunParts } from '../operation/run.ts';
import { failedFragments, maskBatches } from '../pipeline/6-mask/mask-parts.ts';
import { deferredResponse } from '../pipeline/7-respond/parts/deferred-parts.ts';
import type { ResultPlace, ShownResult } from '../stages/operation-messages.ts';
import type { AppStages } from '../stages/stages.ts';
import type { ShowErrors } from './show-errors.ts';

/** The first part of a result, and the rest. */
export interface ResultInParts {
  readonly name: string | undefined;
  readonly type: 'query' | 'mutation';
  readonly format: DeferFormat;
  /** The first part, as the client gets it. */
  readonly shown: ShownResult;
  readonly deferred: RunParts;
}

/** Responds with the parts of a result, as they come. */
export function createRespondInParts(
  file: GatewayConfig['file'],
  { ofPart }: Pick<ShowErrors, 'ofPart'>,
  change: AppStages['show'],
) {
  const { timeout: requestTimeoutMs } = file.traffic_shaping.router;
  const { compression } = file.meridian;

  return (
    request: GatewayRequest,
    { name, type, format, shown: { data, errors }, deferred }: ResultInParts,
  ): HttpResponse | Promise<HttpResponse> => {
    const { exchange, context, notes, recorder } = request;
    endAtExpiry(request, requestTimeoutMs);
    notes.parts = 1;
    notes.firstPartMs = performance.now() - context.startedMs;
    const showLater = (later: readonly RunError[]): readonly GraphQLFormattedError[] => {
      if (later.length === 0) {
        return [];
      }
      const shown = ofPart(later, request);
      notes.onLaterErrors(shown);
      recorder?.onLaterErrors(later);
      return shown;
    };
    const { pending } = deferred;
    const masked = maskBatches(deferred.batches, showLater);
    const parts = {
      data,
      errors,
      pending,
      batches:
        change === undefined
          ? masked
          : showParts(masked, pending, (place) => change(request, { name, type }, place)),
      failed: (reason: unknown, open: RunParts['pending']) => failedFragments(reason, open, showLater),
      onPart: () => void (notes.parts = (notes.parts ?? 0) + 1),
    };
    return deferredResponse({ type, headers: exchange.headers, format }, parts, compression);
  };
}

/** Parts that are not there when the caller's token expires do not come any more. */
function endAtExpiry({ caller, exchange, signal }: GatewayRequest, requestTimeoutMs: number): void {
  const leftMs = caller === undefined ? requestTimeoutMs : caller.expiresAt * 1000 - Date.now();
  if (leftMs < requestTimeoutMs) {
    const timer = setTimeout(() => signal.abort(new TokenExpired()), Math.max(0, leftMs));
    exchange.onEnd(() => clearTimeout(timer));
  }
}

type ShownBatch = RunBatch<ShownResult['errors'][number]>;

/** The later parts of a result as the client is to get them. */
async function* showParts(
  batches: AsyncIterable<ShownBatch>,
  pending: RunParts['pending'],
  show: (place: ResultPlace & { readonly result: ShownResult }) => ShownResult | Promise<ShownResult>,
): AsyncGenerator<ShownBatch, void, void> {
  let open = pending.length;
  for await (const batch of batches) {
    open += batch.pending.length;
    const completed: ShownBatch['completed'][number][] = [];
    for (const { fragment, data, errors } of batch.completed) {
      open -= 1;
      const { path } = fragment;
      const shown = await show({ result: { data, errors }, path, hasNext: open > 0, isFirst: false });
      completed.push({ fragment, data: shown.data, errors: shown.errors });
    }
    yield { completed, pending: batch.pending };
  }
}
