import type { CoprocessorRules } from '@meridian/router-config';
import { isRecord } from '@meridian/settings/values';

import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { RequestFacts } from '../selectors/request-facts.ts';
import { requiredPolicies } from '../stages/granted-policies.ts';
import type {
  ExecutionRequest,
  ResultMessage,
  StageHandlers,
  SupergraphRequest,
} from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { isSame } from './coprocessor-exchange.ts';
import type { GraphqlResponse, SentMembers } from './graphql-response.ts';
import { returnedResponse, sentPart } from './graphql-response.ts';
import type { StageContent, StageOptions } from './stage-calls.ts';
import { isConfigured, overlaid, requestStage, responseStage } from './stage-calls.ts';

export interface OperationOptions extends StageOptions {
  /** Undefined for a text that does not compile, which is rejected later. */
  readonly compile: (text: string, operationName: string | undefined) => CompiledOperation | undefined;
}

type OperationHandlers = Pick<
  StageHandlers,
  'supergraphRequest' | 'supergraphResponse' | 'executionRequest' | 'executionResponse'
>;

/** The stages `supergraph` and `execution`: operations and their results. */
export function operationStages(options: OperationOptions): OperationHandlers {
  const { supergraph, execution } = options.rules;
  return {
    ...(isConfigured(supergraph.request) && { supergraphRequest: onOperation(options) }),
    ...(isConfigured(supergraph.response) && {
      supergraphResponse: onResult(options, 'SupergraphResponse', supergraph.response),
    }),
    ...(isConfigured(execution.request) && { executionRequest: onExecution(options) }),
    ...(isConfigured(execution.response) && {
      executionResponse: onResult(options, 'ExecutionResponse', execution.response),
    }),
  };
}

function onOperation(options: OperationOptions): NonNullable<StageHandlers['supergraphRequest']> {
  const conf = options.rules.supergraph.request;
  const readsOperation = conf.condition !== undefined || conf.context !== undefined;
  return requestStage<SupergraphRequest>('SupergraphRequest', conf, options, {
    view(message) {
      const { query, operationName, variables } = message;
      const operation = readsOperation ? options.compile(query, operationName) : undefined;
      const facts = overlaid(message, {
        operation,
        operationText: query,
        operationName: operation?.name ?? operationName,
        operationType: operation?.type,
        variables,
        stageContext: new Map([...requiredPolicies(operation), ...message.context]),
      });
      const content = (): StageContent =>
        contentOf(message, conf, (body, before) => replaceOperation(message, before, body));
      return { facts, content };
    },
  });
}

function onExecution(options: OperationOptions): NonNullable<StageHandlers['executionRequest']> {
  const conf = options.rules.execution.request;
  return requestStage<ExecutionRequest>('ExecutionRequest', conf, options, {
    view(message) {
      const { query: operationText, operationName, type: operationType, variables } = message;
      return {
        facts: overlaid(message, { operationText, operationName, operationType, variables }),
        content: () => contentOf(message, conf, (body) => checkUnchanged(body, message)),
      };
    },
  });
}

type RequestBody = Readonly<Record<string, unknown>>;

/** The request for an operation, and the use of the one in an answer. */
function contentOf(
  message: ExecutionRequest | SupergraphRequest,
  conf: { readonly body: boolean; readonly method: boolean },
  replace: (returned: ReturnedBody, before: RequestBody) => void,
): StageContent {
  const { method } = Message.requestOf(message).request.exchange;
  const body = bodyOf(message);
  return {
    sent: { body: conf.body ? body : undefined, method: conf.method ? method : undefined },
    replace: (returned) => replace(requestBody(returned), body),
  };
}

function bodyOf(message: ExecutionRequest | SupergraphRequest): RequestBody {
  const { query, operationName, variables } = message;
  const extensions = 'extensions' in message ? message.extensions : {};
  return {
    query,
    ...(operationName !== undefined && { operationName }),
    variables,
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** Only what has changed is replaced: another text would be looked up again. */
function replaceOperation(
  message: SupergraphRequest,
  before: RequestBody,
  { query, operationName, variables, extensions }: ReturnedBody,
): void {
  if (query !== undefined && query !== message.query) {
    message.query = query;
  }
  if (operationName !== message.operationName) {
    message.operationName = operationName;
  }
  if (!isSame(variables, before['variables'])) {
    message.variables = variables;
  }
  if (!isSame(extensions, before['extensions'] ?? {})) {
    message.extensions = extensions;
  }
}

interface ReturnedBody {
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: RequestBody;
  readonly extensions: RequestBody;
}

/** @throws {Error} for a body that is not a GraphQL request */
function requestBody(body: unknown): ReturnedBody {
  if (!isRecord(body)) {
    throw new Error('`body` is not an object');
  }
  const query = body['query'] ?? undefined;
  const operationName = body['operationName'] ?? undefined;
  const variables = body['variables'] ?? {};
  const extensions = body['extensions'] ?? {};
  if (
    (query !== undefined && typeof query !== 'string') ||
    (operationName !== undefined && typeof operationName !== 'string') ||
    !isRecord(variables) ||
    !isRecord(extensions)
  ) {
    throw new Error('`body` is not a GraphQL request');
  }
  return { query, operationName, variables, extensions };
}

function checkUnchanged(returned: ReturnedBody, message: ExecutionRequest): void {
  const { query = message.query, operationName, variables } = returned;
  if (
    query !== message.query ||
    operationName !== message.operationName ||
    !isSame(variables, message.variables)
  ) {
    throw new Error(
      'the operation is checked and planned: its body can be changed at SupergraphRequest, and not here',
    );
  }
}

function onResult(
  options: OperationOptions,
  stage: 'SupergraphResponse' | 'ExecutionResponse',
  conf: CoprocessorRules['supergraph' | 'execution']['response'],
): (message: ResultMessage) => Promise<undefined> {
  const { response_validation: isValidated } = options.rules;
  return responseStage<ResultMessage>(stage, conf, options, {
    view: (message) => ({
      facts: factsOf(message),
      content() {
        const { isFirst, hasNext } = message;
        return {
          sent: {
            body: sentResult(message, conf.body),
            statusCode: conf.status_code && isFirst ? message.status : undefined,
            hasNext: hasNext || !isFirst ? hasNext : undefined,
          },
          replace: (body) => replaceResult(message, body, { sent: conf.body, isValidated }),
        };
      },
    }),
    head: (message) => (message.isFirst ? message : undefined),
  });
}

function factsOf(message: ResultMessage): RequestFacts {
  const { errors, status, type, operationName } = message;
  return overlaid(message, {
    errors,
    operationType: type,
    operationName,
    status,
    response: { status, headers: Object.fromEntries(message.headers) },
    get data() {
      return message.data;
    },
  });
}

/** False for a deferred fragment. In Apollo Router's form, that is the one entry of `incremental`, at its path. */
function isWhole({ isFirst, type }: ResultMessage): boolean {
  return isFirst || type === 'subscription';
}

function sentResult(message: ResultMessage, sent: SentMembers): unknown {
  if (isWhole(message)) {
    return sentPart(message, sent);
  }
  const { data, errors, path, hasNext } = message;
  return sent === true
    ? { hasNext, incremental: [{ data, path, ...(errors.length > 0 && { errors }) }] }
    : sentPart({}, sent);
}

function replaceResult(
  message: ResultMessage,
  body: unknown,
  rules: { readonly sent: SentMembers; readonly isValidated: boolean },
): void {
  if (isWhole(message)) {
    replaceMembers(message, returnedResponse(message, body, rules));
    return;
  }
  const list = rules.sent === true && isRecord(body) ? body['incremental'] : undefined;
  const [entry] = Array.isArray(list) ? list : [];
  if (isRecord(entry)) {
    replaceMembers(message, returnedResponse(message, entry, { ...rules, isValidated: true }));
  }
}

function replaceMembers(message: ResultMessage, { data, errors = [], extensions }: GraphqlResponse): void {
  if (!isSame(data, message.data)) {
    message.data = data ?? null;
  }
  if (!isSame(errors, message.errors)) {
    message.errors = errors;
  }
  if (!isSame(extensions, message.extensions)) {
    message.extensions = extensions;
  }
}
