import type { CoprocessorRules } from '@meridian/router-config';

import { RequestError } from '../errors/request-error.ts';
import { compileCondition } from '../selectors/compile-condition.ts';
import { errorsIn } from '../selectors/gateway-facts.ts';
import type { RouterResponse, StageCaller, StageHandlers } from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { refusedOfClient } from '../stages/stage-headers.ts';
import type { CoprocessorExchange } from './coprocessor-exchange.ts';
import {
  endingOf,
  fieldsOf,
  replaceContext,
  replaceFields,
  sentEntries,
  statusOf,
  writtenContext,
} from './coprocessor-exchange.ts';
import { endingResponse, responseWithError } from './graphql-response.ts';
import type { GraphqlResponse } from './graphql-response.ts';
import { isConfigured, overlaid } from './stage-rules.ts';

interface RouterOptions {
  readonly rules: CoprocessorRules;
  readonly exchange: CoprocessorExchange;
  readonly sdl: () => string;
}

/** The stage `router`: the messages of clients and to clients. */
export function routerStages({
  rules,
  exchange,
  sdl,
}: RouterOptions): Pick<StageHandlers, 'routerRequest' | 'routerResponse'> {
  const { request, response } = rules.router;
  return {
    ...(isConfigured(request) && { routerRequest: onRequest({ rules, exchange, sdl }) }),
    ...(isConfigured(response) && { routerResponse: onResponse({ rules, exchange, sdl }) }),
  };
}

function onRequest({
  rules: { router, url, response_validation: isValidated },
  exchange,
  sdl,
}: RouterOptions): NonNullable<StageHandlers['routerRequest']> {
  const conf = router.request;
  const { context } = conf;
  const readsClaims = typeof context === 'string' || context?.includes(claimsKey) === true;
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  return async (message) => {
    const caller = readsClaims ? await verified(() => message.identify()) : undefined;
    const facts = overlaid(message, { caller });
    if (test?.(facts, undefined) === false) {
      return undefined;
    }
    const body = conf.body ? await message.readBody() : undefined;
    const entries = sentEntries(facts, conf.context);
    const headers = conf.headers ? fieldsOf(message.headers) : undefined;
    return await exchange(message, {
      stage: 'RouterRequest',
      url: conf.url ?? url,
      sent: {
        id: message.id,
        headers,
        body,
        context: writtenContext(entries),
        sdl: conf.sdl ? sdl() : undefined,
        path: conf.path ? message.url : undefined,
        method: message.method,
      },
      apply(reply) {
        const text = textOf(reply.body);
        replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: false });
        const end = endingOf(reply, headers, () => responseOf(text ?? '', isValidated));
        if (end !== undefined) {
          return end;
        }
        if (text !== undefined && text !== body) {
          message.setBody(text);
        }
        replaceFields(message.headers, reply, (name) => refusedOfClient(name) !== undefined);
        return undefined;
      },
    });
  };
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

function onResponse({
  rules: { router, url },
  exchange,
  sdl,
}: RouterOptions): NonNullable<StageHandlers['routerResponse']> {
  const conf = router.response;
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  return async (message) => {
    const { facts: known } = Message.requestOf(message);
    const facts = overlaid(
      message,
      {
        get errors() {
          return message.body === undefined ? known.errors : errorsIn(message.body);
        },
        status: message.status,
        response: { status: message.status, headers: Object.fromEntries(message.headers) },
      },
      () => keepFromCaches(message),
    );
    if (test?.(facts, undefined) === false) {
      return undefined;
    }
    const entries = sentEntries(facts, conf.context);
    const body = conf.body ? message.body : undefined;
    return await exchange(message, {
      stage: 'RouterResponse',
      url: conf.url ?? url,
      sent: {
        id: message.id,
        headers: conf.headers ? fieldsOf(message.headers) : undefined,
        body,
        context: writtenContext(entries),
        sdl: conf.sdl ? sdl() : undefined,
        statusCode: conf.status_code ? message.status : undefined,
      },
      apply(reply) {
        const text = textOf(reply.body);
        if (text !== undefined && text !== body) {
          message.body = text;
        }
        const status = statusOf(reply) ?? message.status;
        if (status !== message.status) {
          message.status = status;
        }
        replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes: true });
        replaceFields(message.headers, reply, () => true);
        return undefined;
      },
    });
  };
}

/** Its fields for caches are written already. */
function keepFromCaches({ headers }: RouterResponse): void {
  if (headers.has('etag')) {
    headers.set('cache-control', 'no-store');
  }
}
