import type { Condition, CoprocessorRules } from '@meridian/router-config';
import { isRecord } from '@meridian/settings/values';

import type { CompiledOperation } from '../operation/compiled-operation.ts';
import { compileCondition } from '../selectors/compile-condition.ts';
import type { RequestFacts } from '../selectors/request-facts.ts';
import type {
  ExecutionRequest,
  ResultMessage,
  StageHandlers,
  SupergraphRequest,
} from '../stages/messages.ts';
import { requiredPolicies } from '../stages/granted-policies.ts';
import { Message } from '../stages/request-stages.ts';
import { refusedOfClient } from '../stages/stage-headers.ts';
import type { Reply } from './call-coprocessor.ts';
import type { CoprocessorExchange } from './coprocessor-exchange.ts';
import {
  endingOf,
  fieldsOf,
  isSame,
  replaceContext,
  replaceFields,
  sentEntries,
  statusOf,
  writtenContext,
} from './coprocessor-exchange.ts';
import type { GraphqlResponse, SentMembers } from './graphql-response.ts';
import { endingResponse, returnedResponse, sentPart } from './graphql-response.ts';
import { isConfigured, overlaid } from './stage-rules.ts';

interface OperationOptions {
  readonly rules: CoprocessorRules;
  readonly exchange: CoprocessorExchange;
  readonly sdl: () => string;
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
      executionResponse: onResult(options, 'ExecutionResponse', {
        ...execution.response,
        condition: undefined,
      }),
    }),
  };
}

function onOperation({
  rules: { supergraph, url, response_validation: isValidated },
  exchange,
  sdl,
  compile,
}: OperationOptions): NonNullable<StageHandlers['supergraphRequest']> {
  const conf = supergraph.request;
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  const readsOperation = test !== undefined || conf.context !== undefined;
  return async (message) => {
    const request = Message.requestOf(message);
    const operation = readsOperation ? compile(message.query, message.operationName) : undefined;
    const facts = overlaid(message, {
      operation,
      operationText: message.query,
      operationName: operation?.name ?? message.operationName,
      operationType: operation?.type,
      variables: message.variables,
      stageContext: new Map([...requiredPolicies(operation), ...message.context]),
    });
    if (test?.(facts, undefined) === false) {
      return undefined;
    }
    const entries = sentEntries(facts, conf.context);
    const headers = conf.headers ? fieldsOf(message.headers) : undefined;
    const body = bodyOf(message);
    return await exchange(message, {
      stage: 'SupergraphRequest',
      url: conf.url ?? url,
      sent: {
        id: message.id,
        headers,
        body: conf.body ? body : undefined,
        context: writtenContext(entries),
        sdl: conf.sdl ? sdl() : undefined,
        method: conf.method ? request.method : undefined,
      },
      apply(reply) {
        replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: false });
        const end = endingOf(reply, headers, () => endingResponse(reply.body, isValidated));
        if (end !== undefined) {
          return end;
        }
        replaceBody(message, body, reply);
        replaceFields(message.headers, reply, (name) => refusedOfClient(name) !== undefined);
        return undefined;
      },
    });
  };
}

type RequestBody = Readonly<Record<string, unknown>>;

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
function replaceBody(message: SupergraphRequest, before: RequestBody, { body }: Reply): void {
  if (body === undefined) {
    return;
  }
  const { query, operationName, variables, extensions } = requestBody(body);
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

function onExecution({
  rules: { execution, url, response_validation: isValidated },
  exchange,
  sdl,
}: OperationOptions): NonNullable<StageHandlers['executionRequest']> {
  const conf = execution.request;
  return async (message) => {
    const request = Message.requestOf(message);
    const facts = overlaid(message, {
      operationText: message.query,
      operationName: message.operationName,
      operationType: message.type,
      variables: message.variables,
    });
    const entries = sentEntries(facts, conf.context);
    const headers = conf.headers ? fieldsOf(message.headers) : undefined;
    const body = bodyOf(message);
    return await exchange(message, {
      stage: 'ExecutionRequest',
      url: conf.url ?? url,
      sent: {
        id: message.id,
        headers,
        body: conf.body ? body : undefined,
        context: writtenContext(entries),
        sdl: conf.sdl ? sdl() : undefined,
        method: conf.method ? request.method : undefined,
      },
      apply(reply) {
        replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: false });
        const end = endingOf(reply, headers, () => endingResponse(reply.body, isValidated));
        if (end !== undefined) {
          return end;
        }
        if (reply.body !== undefined && !isSameRequest(requestBody(reply.body), message)) {
          throw new Error(
            'the operation is checked and planned: its body can be changed at SupergraphRequest, and not here',
          );
        }
        replaceFields(message.headers, reply, (name) => refusedOfClient(name) !== undefined);
        return undefined;
      },
    });
  };
}

function isSameRequest(returned: ReturnedBody, message: ExecutionRequest): boolean {
  const { query = message.query, operationName, variables } = returned;
  return (
    query === message.query && operationName === message.operationName && isSame(variables, message.variables)
  );
}

interface ResultConf extends Omit<CoprocessorRules['execution']['response'], 'body'> {
  readonly condition: Condition | undefined;
  readonly body: SentMembers;
}

function onResult(
  { rules: { url, response_validation: isValidated }, exchange, sdl }: OperationOptions,
  stage: 'SupergraphResponse' | 'ExecutionResponse',
  conf: ResultConf,
): (message: ResultMessage) => Promise<undefined> {
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  return async (message) => {
    const { isFirst } = message;
    const facts = factsOf(message);
    if (test?.(facts, undefined) === false) {
      return undefined;
    }
    const entries = sentEntries(facts, conf.context);
    const part = partOf(message);
    await exchange(message, {
      stage,
      url: conf.url ?? url,
      sent: {
        id: message.id,
        headers: conf.headers && isFirst ? fieldsOf(message.headers) : undefined,
        body: part.sent(conf.body),
        context: writtenContext(entries),
        sdl: conf.sdl ? sdl() : undefined,
        statusCode: conf.status_code && isFirst ? message.status : undefined,
        hasNext: message.hasNext || !isFirst ? message.hasNext : undefined,
      },
      apply(reply) {
        if (reply.body !== undefined) {
          part.replace(reply.body, { sent: conf.body, isValidated });
        }
        replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: true });
        if (isFirst) {
          const status = statusOf(reply) ?? message.status;
          if (status !== message.status) {
            message.status = status;
          }
          replaceFields(message.headers, reply, () => true);
        }
      },
    });
    return undefined;
  };
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

/** A result, or a part of one, in Apollo Router's form. */
interface Part {
  sent(members: SentMembers): unknown;
  replace(body: unknown, rules: { readonly sent: SentMembers; readonly isValidated: boolean }): void;
}

function partOf(message: ResultMessage): Part {
  return message.isFirst || message.type === 'subscription' ? wholeOf(message) : fragmentOf(message);
}

function wholeOf(message: ResultMessage): Part {
  return {
    sent: (members) => (members === false ? undefined : sentPart(message, members)),
    replace(body, rules) {
      replaceMembers(message, returnedResponse(message, body, rules));
    },
  };
}

/** A deferred fragment is the one entry of `incremental`, at its path. */
function fragmentOf(message: ResultMessage): Part {
  return {
    sent(members) {
      if (members !== true) {
        return members === false ? undefined : sentPart({ data: undefined }, members);
      }
      const { data, errors, path, hasNext } = message;
      return { hasNext, incremental: [{ data, path, ...(errors.length > 0 && { errors }) }] };
    },
    replace(body, { sent }) {
      const list = sent === true && isRecord(body) ? body['incremental'] : undefined;
      const [entry] = Array.isArray(list) ? list : [];
      if (isRecord(entry)) {
        replaceMembers(message, returnedResponse(message, entry, { sent, isValidated: true }));
      }
    },
  };
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
