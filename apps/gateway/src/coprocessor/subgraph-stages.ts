import { STATUS_CODES } from 'node:http';

import { SubgraphFailure } from '@meridian/executor';
import { parseJsonExactly } from '@meridian/json';
import type { CoprocessorRules } from '@meridian/router-config';
import { isRecord } from '@meridian/settings/values';

import { compileCondition } from '../selectors/compile-condition.ts';
import type { RequestFacts, SubgraphFacts } from '../selectors/request-facts.ts';
import { SubrequestFacts } from '../selectors/subrequest-facts.ts';
import type {
  StageHandlers,
  StageMessage,
  SubgraphFailureMessage,
  SubgraphRequestMessage,
  SubgraphResponseMessage,
} from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { refusedOfSubgraph } from '../stages/stage-headers.ts';
import type { CoprocessorExchange } from './coprocessor-exchange.ts';
import {
  endingOf,
  fieldsOf,
  isSame,
  replaceContext,
  replaceFields,
  sentEntries,
  writtenContext,
} from './coprocessor-exchange.ts';
import type { GraphqlResponse } from './graphql-response.ts';
import { endingResponse, responseWithError, returnedResponse, sentPart } from './graphql-response.ts';
import { isConfigured, overlaid } from './stage-rules.ts';

interface SubgraphOptions {
  readonly rules: CoprocessorRules;
  readonly exchange: CoprocessorExchange;
  readonly urlOf: (subgraph: string) => string | undefined;
}

type SubgraphHandlers = Pick<StageHandlers, 'subgraphRequest' | 'subgraphResponse' | 'subgraphFailure'>;

/** The stage `subgraph`: requests to subgraphs and their responses. */
export function subgraphStages(options: SubgraphOptions): SubgraphHandlers {
  const { request, response } = options.rules.subgraph.all;
  return {
    ...(isConfigured(request) && { subgraphRequest: onRequest(options) }),
    ...(isConfigured(response) && onResponse(options)),
  };
}

function onRequest({
  rules: { subgraph, url, response_validation: isValidated },
  exchange,
  urlOf,
}: SubgraphOptions): NonNullable<StageHandlers['subgraphRequest']> {
  const conf = subgraph.all.request;
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  return async (message) => {
    const facts = overlaid(message);
    if (test?.(facts, subgraphFacts(facts, message)) === false) {
      return undefined;
    }
    const entries = sentEntries(facts, conf.context);
    const headers = conf.headers ? fieldsOf(message.headers) : undefined;
    const body = parseJsonExactly(message.body);
    const uri = urlOf(message.subgraph);
    return await asSubgraph(message, 'SubgraphRequest', () =>
      exchange(message, {
        stage: 'SubgraphRequest',
        url: conf.url ?? url,
        sent: {
          id: message.id,
          headers,
          body: conf.body ? body : undefined,
          context: writtenContext(entries),
          uri: conf.uri ? uri : undefined,
          method: 'POST',
          serviceName: conf.service_name ? message.subgraph : undefined,
          subgraphRequestId: conf.subgraph_request_id ? message.requestId : undefined,
        },
        apply(reply) {
          replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: false });
          const end = endingOf(reply, headers, () => responseOf(reply.body, isValidated));
          if (end !== undefined) {
            return end;
          }
          if (reply.uri !== undefined && reply.uri !== uri) {
            throw new Error(
              'the URL of a subgraph is fixed, so that its circuit, its limits and its metrics are its own; use override_subgraph_url',
            );
          }
          if (reply.body !== undefined && !isSame(reply.body, body)) {
            if (!isRecord(reply.body)) {
              throw new Error('`body` is not an object');
            }
            message.body = JSON.stringify(reply.body);
          }
          replaceFields(message.headers, reply, (name) => refusedOfSubgraph(name) !== undefined);
          return undefined;
        },
      }),
    );
  };
}

/** A text is the message of an error. */
function responseOf(body: unknown, isValidated: boolean): GraphqlResponse {
  return typeof body === 'string' ? responseWithError(body, 'ERROR') : endingResponse(body, isValidated);
}

function onResponse({
  rules: { subgraph, url, response_validation: isValidated },
  exchange,
}: SubgraphOptions): Required<Pick<StageHandlers, 'subgraphResponse' | 'subgraphFailure'>> {
  const conf = subgraph.all.response;
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  const send = async (
    message: SubgraphResponseMessage | SubgraphFailureMessage,
    response: GraphqlResponse,
    replace: (body: unknown) => void,
  ): Promise<undefined> => {
    const facts = overlaid(message);
    if (test?.(facts, subgraphFacts(facts, message, response)) === false) {
      return undefined;
    }
    const entries = sentEntries(facts, conf.context);
    await asSubgraph(message, 'SubgraphResponse', () =>
      exchange(message, {
        stage: 'SubgraphResponse',
        url: conf.url ?? url,
        sent: {
          id: message.id,
          headers: conf.headers ? listed(message.fields) : undefined,
          body: sentPart(response, conf.body),
          context: writtenContext(entries),
          serviceName: conf.service_name ? message.subgraph : undefined,
          statusCode: conf.status_code ? message.status : undefined,
          subgraphRequestId: conf.subgraph_request_id ? message.requestId : undefined,
        },
        apply(reply) {
          if (reply.body !== undefined) {
            replace(reply.body);
          }
          replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: true });
        },
      }),
    );
    return undefined;
  };
  return {
    subgraphResponse(message) {
      const response = parsedResponse(message.body);
      // Anything but a GraphQL response fails with an error of its own.
      return (
        response &&
        send(message, response, (body) => {
          const returned = returnedResponse(response, body, { sent: conf.body, isValidated });
          if (!isSame(returned, response)) {
            message.body = JSON.stringify(returned);
          }
        })
      );
    },
    subgraphFailure: (message) => send(message, failureOf(message), () => {}),
  };
}

function parsedResponse(text: string): GraphqlResponse | undefined {
  try {
    const value = parseJsonExactly(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The response that Apollo Router makes of an error status. */
function failureOf({ subgraph, status }: SubgraphFailureMessage): GraphqlResponse {
  const reason = `${status}: ${STATUS_CODES[status] ?? ''}`;
  const extensions = {
    code: 'SUBREQUEST_HTTP_ERROR',
    service: subgraph,
    reason,
    http: { status },
  };
  return { errors: [{ message: `HTTP fetch failed from '${subgraph}': ${reason}`, path: [], extensions }] };
}

function listed(fields: SubgraphResponseMessage['fields']): Readonly<Record<string, readonly string[]>> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of fields) {
    lists.set(name, [...(lists.get(name) ?? []), value]);
  }
  return Object.fromEntries(lists);
}

function subgraphFacts(
  facts: RequestFacts,
  message: SubgraphRequestMessage | SubgraphResponseMessage | SubgraphFailureMessage,
  response?: GraphqlResponse,
): SubgraphFacts {
  const { headers, body } =
    'sent' in message ? message.sent : { headers: Object.fromEntries(message.headers), body: message.body };
  const known = new SubrequestFacts(facts, message.subgraph);
  known.onSent({ operationKind: message.type, headers, body });
  if (response !== undefined && 'fields' in message) {
    known.responseFields = message.fields;
    known.onResponse({ status: message.status ?? 200, text: JSON.stringify(response) });
  }
  return known;
}

/** A coprocessor that fails for one fetch makes its fields null, as in Apollo Router. */
async function asSubgraph<Result>(
  message: StageMessage,
  stage: string,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (Message.requestOf(message).signal.aborted) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `the coprocessor failed at ${stage}: ${reason}`, {
      cause: error,
    });
  }
}
