import type { Mode } from '@meridian/settings/environment';
import { createFairLimit, DeadlineExceeded } from '@meridian/http';
import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { CreateContext, SubgraphContext, Requester } from '../context.ts';
import { ClientError, clientError } from '../errors/client-error.ts';
import type { FormatError } from '../errors/format-error.ts';
import { formatErrors } from '../errors/format-error.ts';
import { logUnexpectedErrors } from '../errors/log-unexpected-errors.ts';
import { hideService } from '../validation/hide-service.ts';
import { ResultStream } from './result-stream.ts';
import type { SubscriptionEvents } from './subscription-event.ts';
import type { SubscriptionMetrics } from './subscription-metrics.ts';

/** The maximum of subscriptions that a process has open. */
export interface SubscriptionLimits {
  /** Of all tenants. */
  readonly maxOpen: number;
  /** Of one tenant. */
  readonly maxOpenOfTenant: number;
}

export interface SubscriptionsOptions {
  readonly schema: GraphQLSchema;
  readonly mode: Mode;
  readonly formatError: FormatError;
  readonly createContext: CreateContext<unknown>;
  readonly limits: SubscriptionLimits;
  readonly metrics: SubscriptionMetrics;
  /** The time that a `subscribe` resolver has, and the resolvers of one event. */
  readonly eventDeadlineMs: number;
}

/** The reasons why there is no stream, for the client. */
export type Rejection = readonly GraphQLFormattedError[];

/** The subscriptions of a subgraph, whatever carries them. */
export interface Subscriptions {
  /**
   * Opens a stream of results. It has its place under the limits until it ends; its consumer reads it, or calls
   * `return()`.
   *
   * @param request a GraphQL request, unchecked
   */
  open(request: unknown, requester: Requester): Promise<ResultStream | Rejection>;
  /** The reason for the client why a stream has failed. The cause is logged. */
  failureOf(error: unknown, requester: Requester): Rejection;
}

/** The documents that are kept: gateways send the same for all subscribers of an operation. */
const maxDocuments = 200;
const maxTextLength = 20_000;

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { schema, formatError, createContext, metrics, eventDeadlineMs } = options;
  const read = createReader(options);
  const limit = createFairLimit(options.limits.maxOpen, options.limits.maxOpenOfTenant);

  const report = (
    errors: readonly GraphQLError[],
    context: SubgraphContext<unknown>,
    name?: string,
  ): Rejection => {
    logUnexpectedErrors(errors, context, name);
    return formatErrors(errors, formatError);
  };

  return {
    async open(request, requester) {
      const operation = read(request);
      if (operation instanceof GraphQLError) {
        return formatErrors([operation], formatError);
      }
      const { tenantId, expiresAt } = requester.caller;
      if (!limit.take(tenantId, 1)) {
        return formatErrors(
          [clientError('SUBSCRIPTION_MAX_LIMIT', 'Too many subscriptions are open: try again later')],
          formatError,
        );
      }
      metrics.onOpen();
      const controller = new AbortController();
      const onEnd = (): void => {
        limit.release(tenantId, 1);
        metrics.onEnd();
        controller.abort(new Error('the subscription has ended'));
      };
      const { document, operationName, variableValues, resumeAfter, name } = operation;
      const execution = { schema, document, operationName, variableValues };
      const context = createContext({ ...requester, signal: controller.signal, resumeAfter });
      const opening = setTimeout(
        () => controller.abort(new DeadlineExceeded(eventDeadlineMs)),
        eventDeadlineMs,
      );
      try {
        const source = await createSourceEventStream({ ...execution, contextValue: context });
        if (!(Symbol.asyncIterator in source)) {
          const rejection = report(source.errors ?? [], context, name);
          onEnd();
          return rejection;
        }
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of `subscribe` resolvers says so
        const events = source as SubscriptionEvents<unknown>;
        return new ResultStream({
          source: events[Symbol.asyncIterator](),
          cursor: events.cursor,
          async execute(rootValue, signal) {
            metrics.onEvent();
            // New loaders for each event: what they have read before may be outdated.
            const contextValue = createContext({ ...requester, signal });
            const { data = null, errors } = await execute({ ...execution, rootValue, contextValue });
            return errors === undefined ? { data } : { errors: report(errors, contextValue, name), data };
          },
          eventDeadlineMs,
          expiresAt,
          onEnd,
        });
      } catch (error) {
        onEnd();
        throw error;
      } finally {
        clearTimeout(opening);
      }
    },

    failureOf(error, requester) {
      const failure =
        error instanceof GraphQLError
          ? error
          : new GraphQLError('The subscription failed', {
              originalError: error instanceof Error ? error : new Error(String(error)),
              // Not about the request.
              path: [],
            });
      if (!(failure instanceof ClientError)) {
        requester.log.error({ err: error }, 'a subscription failed');
      }
      return formatErrors([failure], formatError);
    },
  };
}

interface Operation {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly name: string | undefined;
  readonly variableValues: Readonly<Record<string, unknown>>;
  readonly resumeAfter: string | undefined;
}

/** Reads a request; an error where it is not a valid subscription. */
function createReader({
  schema,
  mode,
}: SubscriptionsOptions): (request: unknown) => Operation | GraphQLError {
  const rules =
    mode === 'development'
      ? specifiedRules
      : [...specifiedRules, NoSchemaIntrospectionCustomRule, hideService];
  const documents = new LRUCache<string, DocumentNode>({ max: maxDocuments });

  const documentOf = (text: string): DocumentNode => {
    const known = documents.get(text);
    if (known !== undefined) {
      return known;
    }
    // As Apollo Server's for other requests.
    const document = parse(text, { maxTokens: 50_000 });
    const [fault] = validate(schema, document, rules, { maxErrors: 1 });
    if (fault !== undefined) {
      throw clientError(
        'GRAPHQL_VALIDATION_FAILED',
        mode === 'development' ? fault.message : fault.message.replace(/ ?Did you mean.*/su, ''),
      );
    }
    if (text.length <= maxTextLength) {
      documents.set(text, document);
    }
    return document;
  };

  return (request) => {
    const { query, operationName, variables, extensions }: Partial<Record<string, unknown>> = {
      ...Object(request),
    };
    if (typeof query !== 'string' || !isOptional(operationName, 'string')) {
      return clientError('BAD_REQUEST', 'A subscription has a query, and perhaps an operationName, as texts');
    }
    if (!isOptional(variables, 'object') || !isOptional(extensions, 'object')) {
      return clientError('BAD_REQUEST', 'variables and extensions are objects');
    }
    const { resumeAfter }: Partial<Record<string, unknown>> = { ...extensions };
    if (!isOptional(resumeAfter, 'string')) {
      return clientError('BAD_REQUEST', 'extensions.resumeAfter is the cursor of an event');
    }
    try {
      const document = documentOf(query);
      const operation = getOperationAST(document, operationName);
      return operation?.operation === OperationTypeNode.SUBSCRIPTION
        ? {
            document,
            operationName: operationName ?? undefined,
            name: operation.name?.value,
            variableValues: { ...variables },
            resumeAfter: resumeAfter ?? undefined,
          }
        : clientError('OPERATION_RESOLUTION_FAILURE', 'The operation is not a subscription');
    } catch (error) {
      if (error instanceof ClientError) {
        return error;
      }
      if (error instanceof GraphQLError) {
        return clientError('GRAPHQL_PARSE_FAILED', error.message);
      }
      throw error;
    }
  };
}

interface Kinds {
  readonly string: string;
  readonly object: Readonly<Record<string, unknown>>;
}

function isOptional<Kind extends keyof Kinds>(
  value: unknown,
  kind: Kind,
): value is Kinds[Kind] | null | undefined {
  return value === undefined || value === null || (typeof value === kind && !Array.isArray(value));
}
