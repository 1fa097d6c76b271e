import { parseJsonExactly } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';

import { eventStream } from '../http/media-types.ts';
import type { OperationRequest } from '../interceptors/gateway-request.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { GraphqlRequest } from '../operation/graphql-request.ts';
import type { ExecutionRequest, ResultMessage, StageError, SupergraphRequest } from './messages.ts';
import { statusOf } from './message-parts.ts';
import type { RequestStages } from './request-stages.ts';
import { Message } from './request-stages.ts';
import { ChangeableHeaders, StageRuleError, refusedOfParts, refusedOfResponse } from './stage-headers.ts';

type Refuse = ConstructorParameters<typeof ChangeableHeaders>[1];

/** A value that code may replace, or change in place. Nothing is compared unless it is read. */
class Changeable<Value> {
  readonly #original: Value;
  #current: Value;
  /** As JSON, once it may have changed. */
  #before: string | undefined;

  constructor(original: Value) {
    this.#original = original;
    this.#current = original;
  }

  get value(): Value {
    this.#before ??= JSON.stringify(this.#original);
    return this.#current;
  }

  set value(value: Value) {
    this.#current = value;
    this.#before ??= JSON.stringify(this.#original);
  }

  /** As it is now: a copy where code still has the object. */
  get own(): unknown {
    return this.#before === undefined ? this.#original : parseJsonExactly(JSON.stringify(this.#current));
  }

  get isRead(): boolean {
    return this.#before !== undefined;
  }

  get isChanged(): boolean {
    return this.#before !== undefined && JSON.stringify(this.#current) !== this.#before;
  }
}

type Members = Readonly<Record<string, unknown>>;

export class RequestedOperation extends Message implements SupergraphRequest {
  readonly headers: ChangeableHeaders;
  query: string;
  operationName: string | undefined;
  readonly #request: GraphqlRequest;
  readonly #text: string;
  readonly #variables: Changeable<Members>;
  readonly #extensions: Changeable<Members>;

  constructor(
    stages: RequestStages,
    request: GraphqlRequest,
    { text, refuse }: { text: string; refuse: Refuse },
  ) {
    super(stages);
    this.headers = new ChangeableHeaders(request.headers, refuse, stages);
    this.query = text;
    this.operationName = request.operationName;
    this.#text = text;
    this.#variables = new Changeable(request.variables);
    this.#extensions = new Changeable(request.extensions);
    this.#request = request;
  }

  get variables(): Members {
    return this.#variables.value;
  }

  set variables(variables: Members) {
    this.#variables.value = variables;
  }

  get extensions(): Members {
    return this.#extensions.value;
  }

  set extensions(extensions: Members) {
    this.#extensions.value = extensions;
  }

  get isOtherText(): boolean {
    return this.query !== this.#text;
  }

  /** The request as it is now. The one that came where nothing has changed. */
  changed(): GraphqlRequest {
    const { headers, operationName } = this;
    const variables = this.#variables;
    const extensions = this.#extensions;
    const isChanged =
      this.isOtherText ||
      headers.isChanged ||
      operationName !== this.#request.operationName ||
      variables.isChanged ||
      extensions.isChanged;
    if (!isChanged && !variables.isRead && !extensions.isRead) {
      return this.#request;
    }
    if (typeof this.query !== 'string' || !['string', 'undefined'].includes(typeof operationName)) {
      throw new StageRuleError('`query` and `operationName` are texts; undefined for none');
    }
    this.stages.isChanged ||= isChanged;
    return {
      ...this.#request,
      headers: headers.fields,
      operationName,
      variables: membersOf(variables.own),
      extensions: membersOf(extensions.own),
      // Another text is looked up as if the client had sent it.
      ...(this.isOtherText && { query: this.query, persistedQueryId: undefined }),
    };
  }
}

function membersOf(value: unknown): Members {
  if (!isRecord(value)) {
    throw new StageRuleError('`variables` and `extensions` are objects');
  }
  return value;
}

export class AdmittedRequest extends Message implements ExecutionRequest {
  readonly headers: ChangeableHeaders;
  readonly #operation: OperationRequest;

  constructor(stages: RequestStages, operation: OperationRequest, refuse: Refuse) {
    super(stages);
    this.#operation = operation;
    this.headers = new ChangeableHeaders(operation.graphqlRequest.headers, refuse, stages);
  }

  get type(): 'query' | 'mutation' | 'subscription' {
    return this.#operation.operation.type;
  }

  get query(): string {
    return this.#operation.operation.source.text;
  }

  get operationName(): string | undefined {
    return this.#operation.operation.name;
  }

  /** Frozen: their page sizes and their cost are checked. */
  get variables(): Members {
    return frozen(this.#operation.variables);
  }

  /** The operation as it is now. The one that came where nothing has changed. */
  changed(): OperationRequest {
    if (!this.headers.isChanged) {
      return this.#operation;
    }
    this.stages.isChanged = true;
    const { graphqlRequest } = this.#operation;
    return { ...this.#operation, graphqlRequest: { ...graphqlRequest, headers: this.headers.fields } };
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** A result, or a part of one, as the client gets it. */
export interface ShownResult {
  /** JSON. */
  readonly data: string;
  readonly errors: readonly StageError[];
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Where a result is in its response. */
export interface ResultPlace {
  readonly path: readonly (string | number)[];
  readonly hasNext: boolean;
  /** True while the head of the response is not out. */
  readonly isFirst: boolean;
}

export class ShownMessage extends Message implements ResultMessage {
  readonly headers: ChangeableHeaders;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly operationName: string | undefined;
  readonly path: readonly (string | number)[];
  readonly hasNext: boolean;
  extensions: Members | undefined;
  readonly isFirst: boolean;
  readonly #result: ShownResult;
  #data: { value: unknown } | undefined;
  #errors: readonly StageError[] | undefined;

  constructor(
    stages: RequestStages,
    { type, name }: Pick<CompiledOperation, 'name' | 'type'>,
    { result, path, hasNext, isFirst }: ResultPlace & { readonly result: ShownResult },
  ) {
    super(stages);
    this.#result = result;
    this.isFirst = isFirst;
    this.type = type;
    this.operationName = name;
    this.path = path;
    this.hasNext = hasNext;
    this.extensions = undefined;
    const isInParts = hasNext || stages.request.mediaType === eventStream;
    this.headers = new ChangeableHeaders(noFields, isFirst ? refusedFor(isInParts) : refuseLate);
  }

  get status(): number {
    return this.stages.status ?? 200;
  }

  set status(status: number) {
    if (!this.isFirst) {
      throw new StageRuleError(refuseLate());
    }
    this.stages.status = statusOf(status);
    this.stages.isChanged = true;
  }

  get data(): unknown {
    this.#data ??= { value: parseJsonExactly(this.#result.data) };
    return this.#data.value;
  }

  set data(value: unknown) {
    this.#data = { value };
  }

  get errors(): readonly StageError[] {
    this.#errors ??= [...this.#result.errors];
    return this.#errors;
  }

  set errors(errors: readonly StageError[]) {
    if (!Array.isArray(errors)) {
      throw new StageRuleError('errors are a list: [] for none');
    }
    this.#errors = errors;
  }

  /**
   * The result as it is now. The one that came where nothing has changed.
   *
   * @throws {StageRuleError} for data that is not an object or null
   */
  changed(): ShownResult {
    if (this.headers.isChanged) {
      this.stages.fields = new Map([...(this.stages.fields ?? []), ...this.headers.changes]);
    }
    const { extensions } = this;
    const before = this.#result;
    const data = this.#data === undefined ? before.data : dataOf(this.#data.value);
    const errors = this.#errors ?? before.errors;
    const hasSameErrors =
      errors.length === before.errors.length &&
      errors.every((error, index) => error === before.errors[index]);
    if (data === before.data && hasSameErrors && extensions === undefined) {
      return before;
    }
    this.stages.isChanged = true;
    return { data, errors, extensions: extensions === undefined ? undefined : membersOf(extensions) };
  }
}

function refusedFor(isInParts: boolean): Refuse {
  return isInParts ? refusedOfParts : refusedOfResponse;
}

const noFields = {};

function refuseLate(): string {
  return 'the head of the response is out';
}

function dataOf(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  if (text !== 'null' && !text.startsWith('{')) {
    throw new StageRuleError('the data of a response is an object, or null');
  }
  return text;
}
