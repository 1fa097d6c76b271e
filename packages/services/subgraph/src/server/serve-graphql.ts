import type { IncomingMessage } from 'node:http';

import { HeaderMap } from '@apollo/server';
import type { ApolloServer, HTTPGraphQLResponse } from '@apollo/server';
import {
  abortSignalOf,
  callerOf,
  contentTypeOf,
  readBody,
  readableAccept,
  requestContext,
  sendResponse,
  signalOf,
} from '@meridian/http';
import type { Middleware } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { OnBatch, TenantScope } from '@meridian/tenant-loaders';

import type { SubgraphContext } from '../context.ts';
import type { FormatError } from '../errors/format-error.ts';
import type { KnownQueries } from './known-queries.ts';
import { respondToKnownQuery } from './respond-to-known-query.ts';

/** Several times the largest entity lookup within the gateway's limits. */
const maxBodyBytes = 8 * 1024 * 1024;

export interface ServeGraphqlOptions<Loaders> {
  readonly server: ApolloServer<SubgraphContext<Loaders>>;
  readonly knownQueries: KnownQueries;
  readonly formatError: FormatError;
  readonly createLoaders: (scope: TenantScope) => Loaders;
  readonly onBatch: OnBatch;
}

/** Serves `POST /graphql`, after `requestDeadline` and `authenticate`. */
export function serveGraphql<Loaders>({
  server,
  knownQueries,
  formatError,
  createLoaders,
  onBatch,
}: ServeGraphqlOptions<Loaders>): Middleware {
  return async (request, response) => {
    contentTypeOf(request, ['application/json']);
    const signal = signalOf(request);
    const body = parseJson(await readBody(request, { maxBytes: maxBodyBytes, signal }));
    const context = createContext(request, createLoaders, onBatch);
    const known = acceptsJson(request)
      ? await respondToKnownQuery(body, { knownQueries, formatError, context })
      : undefined;
    if (known !== undefined) {
      sendResponse(request, response, { status: 200, headers: jsonHeaders, body: known });
      return;
    }
    const httpResponse = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'POST',
        search: '',
        headers: new HeaderMap([
          ['content-type', 'application/json'],
          ['accept', readableAccept(request.headers.accept ?? '*/*')],
        ]),
        body,
      },
      context: async () => context,
    });
    sendResponse(request, response, {
      status: httpResponse.status ?? 200,
      headers: Object.fromEntries(httpResponse.headers),
      body: textOf(httpResponse.body),
    });
  };
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** True for an `Accept` that plainly accepts JSON; Apollo Server negotiates any other. */
function acceptsJson({ headers: { accept = '*/*' } }: IncomingMessage): boolean {
  return accept === 'application/json' || accept === '*/*';
}

function createContext<Loaders>(
  request: IncomingMessage,
  createLoaders: (scope: TenantScope) => Loaders,
  onBatch: OnBatch,
): SubgraphContext<Loaders> {
  const caller = callerOf(request);
  const { trace, log } = requestContext(request);
  const signal = abortSignalOf(request);
  const scope = { tenantId: caller.tenantId, signal, onBatch };
  return {
    caller,
    // Present, because `authenticate` has read it.
    authorization: request.headers.authorization ?? '',
    trace,
    signal,
    loaders: createLoaders(scope),
    renewLoaders(this: { loaders: Loaders }) {
      // Apollo Server passes a copy of the context to resolvers: the copy must be changed.
      this.loaders = createLoaders(scope);
    },
    log,
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw problem('malformed-body', 'The body is not JSON.', { cause: error });
  }
}

function textOf(body: HTTPGraphQLResponse['body']): string {
  // Only `@defer` and `@stream`, which the schema lacks, would give a response in parts.
  if (body.kind === 'chunked') {
    throw new Error('Cannot respond in parts');
  }
  return body.string;
}
