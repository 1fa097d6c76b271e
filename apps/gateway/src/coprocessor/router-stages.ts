import { RequestError } from '../errors/request-error.ts';
import { errorsIn } from '../selectors/gateway-facts.ts';
import type { RouterRequest, RouterResponse, StageCaller, StageHandlers } from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import type { GraphqlResponse } from './graphql-response.ts';
import { endingResponse, responseWithError } from './graphql-response.ts';
import type { StageOptions } from './stage-calls.ts';
import { isConfigured, overlaid, requestStage, responseStage } from './stage-calls.ts';

/** The stage `router`: the messages of clients and to clients. */
export function routerStages(options: StageOptions): Pick<StageHandlers, 'routerRequest' | 'routerResponse'> {
  const { request, response } = options.rules.router;
  return {
    ...(isConfigured(request) && { routerRequest: onRequest(options) }),
    ...(isConfigured(response) && { routerResponse: onResponse(options) }),
  };
}

function onRequest(options: StageOptions): NonNullable<StageHandlers['routerRequest']> {
  const { response_validation: isValidated, router } = options.rules;
  const conf = router.request;
  const { context } = conf;
  const readsClaims = typeof context === 'string' || context?.includes(claimsKey) === true;
  return requestStage<RouterRequest>('RouterRequest', conf, options, {
    async view(message) {
      const caller = readsClaims ? await verified(() => message.identify()) : undefined;
      return {
        facts: overlaid(message, { caller }),
        async content() {
          const body = conf.body ? await message.readBody() : undefined;
          return {
            sent: { body, path: conf.path ? message.url : undefined, method: message.method },
            replace: (returned) => useText(returned, body, (text) => message.setBody(text)),
          };
        },
      };
    },
    ending: (body) => responseOf(textOf(body) ?? '', isValidated),
  });
}

const claimsKey = 'apollo::authentication::jwt_claims';

/** A bad credential is rejected later: the coprocessor may replace it. */
async function verified(identify: () => Promise<StageCaller | undefined>): Promise<StageCaller | undefined> {
  try {
    return await identify();
  } catch (error) {
    if (error instanceof RequestError) {
      return undefined;
    }
    throw error;
  }
}

function textOf(body: unknown): string | undefined {
  if (body !== undefined && typeof body !== 'string') {
    throw new Error('`body` is a text at the stages of the router');
  }
  return body;
}

/** Uses the body of an answer that is another than the sent one. */
function useText(returned: unknown, sent: string | undefined, use: (text: string) => void): void {
  const text = textOf(returned);
  if (text !== undefined && text !== sent) {
    use(text);
  }
}

/** The response with which a coprocessor ends a request: a text that is not JSON is the message of an error. */
function responseOf(text: string, isValidated: boolean): GraphqlResponse {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  return body === null ? responseWithError(text, 'ERROR') : endingResponse(body, isValidated);
}

function onResponse(options: StageOptions): NonNullable<StageHandlers['routerResponse']> {
  const conf = options.rules.router.response;
  return responseStage<RouterResponse>('RouterResponse', conf, options, {
    view(message) {
      const { facts: known } = Message.requestOf(message);
      const { status } = message;
      const facts = overlaid(
        message,
        {
          get errors() {
            return message.body === undefined ? known.errors : errorsIn(message.body);
          },
          status,
          response: { status, headers: Object.fromEntries(message.headers) },
        },
        () => keepFromCaches(message),
      );
      return {
        facts,
        content() {
          const body = conf.body ? message.body : undefined;
          return {
            sent: { body, statusCode: conf.status_code ? status : undefined },
            replace: (returned) => useText(returned, body, (text) => void (message.body = text)),
          };
        },
      };
    },
    head: (message) => message,
  });
}

/** Its fields for caches are written already. */
function keepFromCaches({ headers }: RouterResponse): void {
  if (headers.has('etag')) {
    headers.set('cache-control', 'no-store');
  }
}
