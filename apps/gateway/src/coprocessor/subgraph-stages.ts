import { SubgraphFailure } from '@meridian/executor';
import { nodeHttp } from '@meridian/http';
import { parseJsonExactly } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';

import type { SubgraphFacts } from '../selectors/request-facts.ts';
import { SubrequestFacts } from '../selectors/subrequest-facts.ts';
import type {
  StageHandlers,
  SubgraphFailureMessage,
  SubgraphRequestMessage,
  SubgraphResponseMessage,
} from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { refusedOfSubgraph } from '../stages/stage-headers.ts';
import type { CoprocessorExchange } from './coprocessor-exchange.ts';
import { fieldsOf, isSame } from './coprocessor-exchange.ts';
import type { GraphqlResponse } from './graphql-response.ts';
import { endingResponse, responseWithError, returnedResponse, sentPart } from './graphql-response.ts';
import type { StageOptions, StageView } from './stage-calls.ts';
import { isConfigured, overlaid, requestStage, responseStage } from './stage-calls.ts';

export interface SubgraphOptions extends StageOptions {
  readonly urlOf: (subgraph: string) => string | undefined;
}

type SubgraphHandlers = Pick<StageHandlers, 'subgraphRequest' | 'subgraphResponse' | 'subgraphFailure'>;

/** The stage `subgraph`: requests to subgraphs and their responses. */
export function subgraphStages(options: SubgraphOptions): SubgraphHandlers {
  const { request, response } = options.rules.subgraph.all;
  const ofSubgraph = { ...options, exchange: failingAsSubgraph(options.exchange) };
  return {
    ...(isConfigured(request) && { subgraphRequest: onRequest(ofSubgraph) }),
    ...(isConfigured(response) && onResponse(ofSubgraph)),
  };
}

function onRequest(options: SubgraphOptions): NonNullable<StageHandlers['subgraphRequest']> {
  const { subgraph, response_validation: isValidated } = options.rules;
  const conf = subgraph.all.request;
  return requestStage<SubgraphRequestMessage>('SubgraphRequest', conf, options, {
    view(message) {
      return {
        facts: overlaid(message),
        ofSubgraph: () => subgraphFacts(message),
        content() {
          const body = parseJsonExactly(message.body);
          const uri = options.urlOf(message.subgraph);
          return {
            sent: {
              body: conf.body ? body : undefined,
              uri: conf.uri ? uri : undefined,
              method: 'POST',
              serviceName: conf.service_name ? message.subgraph : undefined,
              subgraphRequestId: conf.subgraph_request_id ? message.requestId : undefined,
            },
            check(reply) {
              if (reply.uri !== undefined && reply.uri !== uri) {
                throw new Error(
                  'the URL of a subgraph is fixed, so that its circuit, its limits and its metrics are its own; use override_subgraph_url',
                );
              }
            },
            replace(returned) {
              if (!isRecord(returned)) {
                throw new Error('`body` is not an object');
              }
              if (!isSame(returned, body)) {
                message.body = JSON.stringify(returned);
              }
            },
          };
        },
      };
    },
    ending: (body) => responseOf(body, isValidated),
    refused: refusedOfSubgraph,
  });
}

/** A text is the message of an error. */
function responseOf(body: unknown, isValidated: boolean): GraphqlResponse {
  return typeof body === 'string' ? responseWithError(body, 'ERROR') : endingResponse(body, isValidated);
}

type Responses = Required<Pick<StageHandlers, 'subgraphResponse' | 'subgraphFailure'>>;

function onResponse(options: SubgraphOptions): Responses {
  const { subgraph, response_validation: isValidated } = options.rules;
  const conf = subgraph.all.response;
  const view = (
    message: SubgraphResponseMessage | SubgraphFailureMessage,
    response: GraphqlResponse,
    replace: (body: unknown) => void,
  ): StageView => ({
    facts: overlaid(message),
    ofSubgraph: () => subgraphFacts(message, response),
    content: () => ({
      sent: {
        headers: conf.headers ? fieldsOf(message.fields) : undefined,
        body: sentPart(response, conf.body),
        serviceName: conf.service_name ? message.subgraph : undefined,
        statusCode: conf.status_code ? message.status : undefined,
        subgraphRequestId: conf.subgraph_request_id ? message.requestId : undefined,
      },
      replace,
    }),
  });
  return {
    subgraphResponse: responseStage<SubgraphResponseMessage>('SubgraphResponse', conf, options, {
      view(message) {
        const response = parsedResponse(message.body);
        // Anything but a GraphQL response fails with an error of its own.
        return (
          response &&
          view(message, response, (body) => {
            const returned = returnedResponse(response, body, { sent: conf.body, isValidated });
            if (!isSame(returned, response)) {
              message.body = JSON.stringify(returned);
            }
          })
        );
      },
    }),
    subgraphFailure: responseStage<SubgraphFailureMessage>('SubgraphResponse', conf, options, {
      view: (message) => view(message, failureOf(message), () => {}),
    }),
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
  const reason = `${status}: ${nodeHttp.STATUS_CODES[status] ?? ''}`;
  const extensions = { code: 'SUBREQUEST_HTTP_ERROR', service: subgraph, reason, http: { status } };
  return { errors: [{ message: `HTTP fetch failed from '${subgraph}': ${reason}`, path: [], extensions }] };
}

function subgraphFacts(
  message: SubgraphRequestMessage | SubgraphResponseMessage | SubgraphFailureMessage,
  response?: GraphqlResponse,
): SubgraphFacts {
  const { headers, body } =
    'sent' in message ? message.sent : { headers: Object.fromEntries(message.headers), body: message.body };
  const known = new SubrequestFacts(message.subgraph);
  known.onSent({ operationKind: message.type, headers, body });
  if (response !== undefined && 'fields' in message) {
    known.responseFields = message.fields;
    known.onResponse({ status: message.status ?? 200, text: JSON.stringify(response) });
  }
  return known;
}

/** A coprocessor that fails for one fetch makes its fields null, as in Apollo Router. */
function failingAsSubgraph(exchange: CoprocessorExchange): CoprocessorExchange {
  return async (message, call) => {
    try {
      return await exchange(message, call);
    } catch (error) {
      if (Message.requestOf(message).request.signal.aborted) {
        throw error;
      }
      const reason = error instanceof Error ? error.message : String(error);
      const detail = `the coprocessor failed at ${call.stage}: ${reason}`;
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', detail, { cause: error });
    }
  };
}
