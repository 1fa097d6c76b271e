import type { IncomingHttpHeaders } from 'node:http';

import type { GraphQLFormattedError } from 'graphql';

import type { RunResult } from '../operation/run.ts';
import type { OperationType } from '../operation/admitted-operation.ts';
import { clientOf } from '../http/client-of.ts';

/**
 * The outcome of an operation. `partial`: with data and errors. `error`: without data, or the gateway failed or was
 * too slow. `refused`: a fault of the request, or a limit. `cancelled`: the client hung up.
 */
export type OperationOutcome = 'success' | 'partial' | 'error' | 'refused' | 'cancelled';

/**
 * The reason for the end of a subscription, by Apollo Router's names. `server_shutdown`, `token_expired`: this gateway's.
 */
export type StreamEnd =
  | 'server_close'
  | 'subgraph_error'
  | 'client_disconnect'
  | 'schema_reload'
  | 'config_reload'
  | 'max_lifetime'
  | 'server_shutdown'
  | 'token_expired';

/** Longer names are cut, and further codes are left out: clients must not decide the length of a log line. */
const maxNameLength = 100;
const maxCodes = 10;

/**
 * GraphQL members of a request's log line, filled in as they become known. This is the line's own object,
 * with one shape for all requests; undefined members are not written.
 */
export class RequestNotes {
  operation: string | undefined = undefined;
  operationType: OperationType | undefined = undefined;
  /** Absent for a success. */
  outcome: Exclude<OperationOutcome, 'success'> | undefined = undefined;
  errorCodes: readonly string[] | undefined = undefined;
  readonly clientName: string | undefined;
  readonly clientVersion: string | undefined;
  costEstimated: number | undefined = undefined;
  costActual: number | undefined = undefined;
  /** The parts of a response that has several. */
  parts: number | undefined = undefined;
  /** The time until the first of them. */
  firstPartMs: number | undefined = undefined;
  /** The reason for the end of a subscription. */
  endReason: StreamEnd | undefined = undefined;
  /** Members of code at its stages. */
  noted: Readonly<Record<string, unknown>> | undefined = undefined;

  constructor(headers: IncomingHttpHeaders) {
    const { name, version } = clientOf(headers);
    this.clientName = name || undefined;
    this.clientVersion = version || undefined;
  }

  onCompiled({ name = '', type }: { readonly name: string | undefined; readonly type: OperationType }): void {
    this.operation = name.slice(0, maxNameLength);
    this.operationType = type;
  }

  /**
   * Notes a result. Reads its data only beside errors, because reading it decodes the whole of it.
   *
   * @param errors as the client gets them
   */
  onExecuted(errors: readonly GraphQLFormattedError[], result: Pick<RunResult, 'data'>): void {
    if (errors.length > 0) {
      this.outcome = result.data === 'null' ? 'error' : 'partial';
      this.#noteCodes(errors);
    }
  }

  /** Notes the errors of a later part of a result. */
  onLaterErrors(errors: readonly GraphQLFormattedError[]): void {
    this.outcome ??= 'partial';
    this.#noteCodes(errors);
  }

  #noteCodes(errors: readonly GraphQLFormattedError[]): void {
    const codes = new Set(this.errorCodes);
    for (const { extensions } of errors) {
      if (codes.size < maxCodes) {
        codes.add(String(extensions?.['code']));
      }
    }
    this.errorCodes = [...codes];
  }

  onRequestError(code: string, status: number): void {
    this.outcome = status >= 500 ? 'error' : 'refused';
    this.errorCodes = [code];
  }

  onCancelled(): void {
    this.outcome = 'cancelled';
  }
}
