import { setTimeout as delay } from 'node:timers/promises';

import type { SubscriptionEvent } from '@meridian/executor';
import { SubscriptionFailure } from '@meridian/executor';
import type { GraphQLFormattedError } from 'graphql';

import { RequestError } from '../errors/request-error.ts';
import type { StreamEndCode } from '../errors/error-codes.ts';
import type { GatewayRequest, OperationRequest } from '../interceptors/gateway-request.ts';
import type { RunError, RunResult } from '../operation/run.ts';
import type { AppStages } from '../stages/stages.ts';
import type { StreamEnd } from '../telemetry/request-notes.ts';
import type { StreamMetrics } from '../telemetry/stream-metrics.ts';
import type { StreamMessage } from './client-stream.ts';

export interface EventWriterOptions {
  /** Code at the stages of requests; undefined where there is none. */
  readonly change?: AppStages['show'];
  readonly metrics: StreamMetrics;
  /** Logs, masks and counts errors. */
  readonly show: (errors: readonly RunError[], request: GatewayRequest) => readonly GraphQLFormattedError[];
  /**
   * Counts the cost of an event. Absent without a throttle.
   *
   * @throws {RequestError} REQUEST_RATE_LIMITED
   */
  readonly countEvent: ((operation: OperationRequest) => Promise<void> | undefined) | undefined;
}

/** The time until an event that the throttle rejects is counted again. */
const throttledMs = 1000;

/** The errors for clients of a stream that the gateway ends. */
const endErrors: Partial<Record<StreamEnd, { readonly code: StreamEndCode; readonly message: string }>> = {
  schema_reload: {
    code: 'SUBSCRIPTION_SCHEMA_RELOAD',
    message: 'The subscription has ended because the schema has changed: subscribe again',
  },
  config_reload: {
    code: 'SUBSCRIPTION_CONFIG_RELOAD',
    message: 'The subscription has ended because the configuration has changed: subscribe again',
  },
  max_lifetime: {
    code: 'SUBSCRIPTION_MAX_LIFETIME_EXCEEDED',
    message: 'The subscription has ended because it was open for the longest time: subscribe again',
  },
  token_expired: {
    code: 'SUBSCRIPTION_JWT_EXPIRED',
    message: 'The subscription has ended because the token has expired: subscribe again with another one',
  },
};

/** Writes what one client of a subscription gets. */
export class EventWriter {
  readonly #operation: OperationRequest;
  readonly #options: EventWriterOptions;

  constructor(operation: OperationRequest, options: EventWriterOptions) {
    this.#operation = operation;
    this.#options = options;
  }

  /** Writes an event. One that the throttle rejects waits: what follows it waits in the bounded queue of the stream. */
  async write(
    { result: unfiltered, position }: SubscriptionEvent,
    complete: (result: RunResult) => RunResult,
  ): Promise<StreamMessage> {
    if (unfiltered === undefined) {
      return { kind: 'position', position: position ?? '' };
    }
    const { request } = this.#operation;
    if (this.#options.countEvent !== undefined) {
      await this.#admit(this.#options.countEvent);
    }
    const { metrics } = this.#options;
    const result = complete(unfiltered);
    const errors = result.errors.length > 0 ? this.#show(result.errors) : [];
    const { change } = this.#options;
    const unchanged = { data: result.data, errors };
    const shown =
      change === undefined
        ? unchanged
        : await change(request, this.#operation.operation, {
            path: [],
            hasNext: true,
            isFirst: false,
            result: unchanged,
          });
    request.notes.parts = (request.notes.parts ?? 0) + 1;
    metrics.countEvent();
    request.recorder?.onEventWritten(errors.length);
    const members = [
      ...(shown.errors.length > 0 ? [`"errors":${JSON.stringify(shown.errors)}`] : []),
      `"data":${shown.data}`,
      ...(position === undefined ? [] : [`"extensions":${JSON.stringify({ cursor: position })}`]),
    ];
    return { kind: 'next', json: `{${members.join()}}`, position };
  }

  /** The last event of a stream that fails. */
  failed(error: unknown): StreamMessage {
    const failures: readonly RunError[] =
      error instanceof SubscriptionFailure ? error.errors : [{ kind: 'internal', cause: error }];
    const errors = this.#show(failures);
    return { kind: 'next', json: `{"errors":${JSON.stringify(errors)},"data":null}`, position: undefined };
  }

  /** The last message of a stream that ends otherwise. */
  endOf(reason: StreamEnd): StreamMessage {
    if (reason === 'server_shutdown') {
      return { kind: 'away' };
    }
    const error = endErrors[reason];
    if (error === undefined) {
      return { kind: 'complete' };
    }
    const { traceId } = this.#operation.request.context.trace;
    const { code, message } = error;
    return { kind: 'error', json: JSON.stringify([{ message, extensions: { code, traceId } }]) };
  }

  #show(errors: readonly RunError[]): readonly GraphQLFormattedError[] {
    const { request } = this.#operation;
    const shown = this.#options.show(errors, request);
    request.notes.onLaterErrors(shown);
    request.recorder?.onLaterErrors(errors);
    return shown;
  }

  async #admit(countEvent: NonNullable<EventWriterOptions['countEvent']>): Promise<void> {
    try {
      await countEvent(this.#operation);
    } catch (error) {
      if (!(error instanceof RequestError)) {
        throw error;
      }
      await delay(throttledMs, undefined, { ref: false });
      this.#operation.request.signal.throwIfAborted();
      await this.#admit(countEvent);
    }
  }
}
