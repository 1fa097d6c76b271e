import type { IncomingHttpHeaders } from 'node:http';

import type { Caller } from '@meridian/auth';
import type { HttpResponse } from '@meridian/http';
import { isRecord } from '@meridian/settings/values';
import type { Logger } from '@meridian/telemetry';
import type { GraphQLFormattedError } from 'graphql';

import { clientOf } from '../http/client-of.ts';
import type { ClientIdentity } from '../http/client-of.ts';
import type { GatewayRequest, OperationRequest } from '../interceptors/gateway-request.ts';
import type { OperationType, Variables } from '../operation/admitted-operation.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { CostResult } from '../telemetry/cost-metrics.ts';
import type { ObservedFacts, RequestFacts } from './request-facts.ts';
import { parseMembers } from './parse-members.ts';
import { SubrequestFacts } from './subrequest-facts.ts';

const noVariables: Variables = {};
const noErrors: readonly never[] = [];
/** The most errors of one request that are kept. */
const maxErrors = 100;

/** The facts of a request, filled in as its stages find them out. */
export class GatewayFacts implements ObservedFacts {
  readonly #request: GatewayRequest;
  #operation: OperationRequest | undefined = undefined;
  #result: object | undefined = undefined;
  #data: unknown = undefined;
  #errors: readonly GraphQLFormattedError[] | undefined = undefined;
  #client: ClientIdentity | undefined = undefined;
  #awaited: SubrequestFacts | undefined = undefined;
  response: HttpResponse | undefined = undefined;
  #status: number | undefined = undefined;
  /** By `performance.now`; undefined for an operation that never ran. */
  operationStartMs: number | undefined = undefined;
  operationEndMs: number | undefined = undefined;

  readonly isSecure: boolean;

  constructor(request: GatewayRequest, { isSecure }: Pick<RequestFacts, 'isSecure'>) {
    this.#request = request;
    this.isSecure = isSecure;
  }

  /** Of the request. */
  get log(): Logger {
    return this.#request.context.log;
  }

  get stageContext(): RequestFacts['stageContext'] {
    return this.#request.stages?.context;
  }

  get method(): string {
    return this.#request.exchange.method;
  }

  get url(): string {
    return this.#request.exchange.url;
  }

  get headers(): Readonly<IncomingHttpHeaders> {
    return this.#request.exchange.headers;
  }

  get peer(): string | undefined {
    return this.#request.exchange.peer;
  }

  get status(): number | undefined {
    return this.#status ?? this.response?.status;
  }

  get route(): string | undefined {
    return this.#request.context.route;
  }

  get startedMs(): number {
    return this.#request.context.startedMs;
  }

  get traceId(): string {
    return this.#request.context.trace.traceId;
  }

  get client(): ClientIdentity {
    this.#client ??= clientOf(this.headers);
    return this.#client;
  }

  get caller(): Caller | undefined {
    return this.#request.caller;
  }

  get operationName(): string | undefined {
    return this.#request.notes.operation || undefined;
  }

  get operationType(): OperationType | undefined {
    return this.#request.notes.operationType;
  }

  get operation(): CompiledOperation | undefined {
    return this.#operation?.operation;
  }

  get operationText(): string | undefined {
    return this.operation?.source.text;
  }

  get variables(): Variables {
    return this.#operation?.variables ?? noVariables;
  }

  get overrideLabels(): ReadonlySet<string> | undefined {
    return this.#request.overrideLabels;
  }

  get costEstimated(): number | undefined {
    return this.#request.notes.costEstimated;
  }

  get costResult(): CostResult | undefined {
    const tooExpensive = 'COST_ESTIMATED_TOO_EXPENSIVE';
    return this.#operation?.costResult ?? (this.failure === tooExpensive ? tooExpensive : undefined);
  }

  get costActual(): number | undefined {
    return this.#request.notes.costActual;
  }

  get failure(): string | undefined {
    const { outcome, errorCodes } = this.#request.notes;
    return outcome === 'error' || outcome === 'refused' ? errorCodes?.[0] : undefined;
  }

  get errors(): RequestFacts['errors'] {
    this.#errors ??= this.#request.notes.errorCodes === undefined ? noErrors : errorsOf(this.response);
    return this.#errors;
  }

  get data(): unknown {
    const result = this.#result;
    if (result !== undefined) {
      this.#result = undefined;
      const text = 'data' in result ? result.data : undefined;
      this.#data =
        typeof text === 'string' ? (parseMembers(`{"data":${text}}`)?.['data'] ?? undefined) : undefined;
    }
    return this.#data;
  }

  /** Called at the end of the exchange. */
  onEnd(status: number): void {
    this.#status = status;
  }

  /** Called when the operation may run. */
  onOperation(operation: OperationRequest): void {
    this.#operation = operation;
  }

  /** Called with the result of its run, whose data is read on demand. */
  onResult(result: object): void {
    this.#result = result;
  }

  onErrors(shown: readonly GraphQLFormattedError[]): void {
    this.#errors = [...(this.#errors ?? noErrors), ...shown].slice(0, maxErrors);
  }

  expectSubrequest(subgraph: string): SubrequestFacts {
    this.#awaited = new SubrequestFacts(subgraph);
    return this.#awaited;
  }

  beginSubrequest(subgraph: string): SubrequestFacts {
    const awaited = this.#awaited;
    this.#awaited = undefined;
    return awaited?.subgraph === subgraph ? awaited : new SubrequestFacts(subgraph);
  }
}

/** The errors of a rejected request, whose response is a short text. */
function errorsOf(response: HttpResponse | undefined): readonly GraphQLFormattedError[] {
  const { body } = response ?? {};
  return typeof body === 'string' ? errorsIn(body) : noErrors;
}

/** The errors in the text of a response. */
export function errorsIn(body: string): readonly GraphQLFormattedError[] {
  const errors = parseMembers(body)?.['errors'];
  return Array.isArray(errors) ? errors.filter(isError).slice(0, maxErrors) : noErrors;
}

function isError(value: unknown): value is GraphQLFormattedError {
  return isRecord(value) && typeof value['message'] === 'string';
}
