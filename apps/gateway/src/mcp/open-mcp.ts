import type { TokenVerifier } from '@meridian/auth';
import { composeInterceptors } from '@meridian/executor';
import type { HttpResponse, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';
import { formatTraceparent } from '@meridian/telemetry';

import type { AppDependencies } from '../app.ts';
import { createApp } from '../app.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { TierRules } from '../config/traffic-limits.ts';
import type { TrustedKeys } from '../config/issuers.ts';
import { verifiesTokens, withAudiences } from '../config/issuers.ts';
import { requestErrorKinds } from '../errors/error-codes.ts';
import { requestError } from '../errors/request-error.ts';
import { toRequestError } from '../errors/to-request-error.ts';
import { createGraphEndpoint } from '../graph-endpoint.ts';
import type { Graph } from '../graph/graph.ts';
import { cors } from '../interceptors/cors.ts';
import type { GatewayRequest, RequestInterceptor } from '../interceptors/gateway-request.ts';
import { throttleRequests } from '../interceptors/throttle.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { mapCosts } from '../tiers/tiers.ts';
import { createDecompressor } from '../pipeline/2-identify/decompress-body.ts';
import { identifyCaller } from '../pipeline/2-identify/identify-caller.ts';
import { callTool, headersOfCall } from './call-tool.ts';
import { createEndpoint, errorResponse } from './endpoint.ts';
import { createProtectedResource } from './protected-resource.ts';
import { createProtocol } from './serve-protocol.ts';
import type { Tools } from './tools.ts';
import { createTools } from './tools.ts';

export interface McpOptions {
  /** Of the pipeline of the graph. */
  readonly dependencies: AppDependencies;
  readonly config: GatewayConfig;
  readonly manifest: () => Manifest;
  readonly verifierOf: (trusted: TrustedKeys) => TokenVerifier;
}

/**
 * The gateway with an endpoint of the Model Context Protocol in front of it. A call is a request of its own by the
 * identifier of its operation, and passes all stages. They differ from the graph's in the audience of tokens and in the
 * limit of cost alone, and share all that counts and limits.
 */
export function openMcp(app: ServeExchange, { dependencies, config, ...options }: McpOptions): ServeExchange {
  const { file } = config;
  const { mcp, limits: jsonLimits } = file.meridian;
  const trusted = withAudiences(config, (own) => mcp.audiences ?? own);
  const verifier = verifiesTokens(trusted) ? options.verifierOf(trusted) : undefined;
  const isRequired =
    verifier !== undefined && (!mcp.allow_anonymous || file.authorization.require_authentication);
  const { load, rateLimiters, logger } = dependencies;

  const serveCall = createApp({
    ...dependencies,
    config: {
      ...config,
      graphPaths: [mcp.path],
      tiers: withMaxCost(config.tiers, mcp.max_cost),
      file: {
        ...file,
        authorization: { ...file.authorization, require_authentication: isRequired },
        batching: { ...file.batching, enabled: false },
      },
    },
    verifier,
    tokenSources: undefined,
    sources: { ...dependencies.sources, isIdRequired: true, automaticQueries: undefined },
  });

  const resource = createProtectedResource(config);
  const toolsNow = rememberTools(
    () => options.manifest(),
    dependencies.graph,
    (manifest, graph) => createTools(manifest, graph, { mcp, logger }),
  );
  const serveMessage = createProtocol({
    instructions: `Each tool runs one operation of a graph. A response has data, and errors beside it where a part failed. At most ${mcp.max_response_bytes} bytes are returned: ask for small pages.`,
    onError: (error) => logger.debug({ err: error }, 'a message of an MCP client was rejected'),
  });

  const handleRequest = createEndpoint({
    path: mcp.path,
    resource,
    tools: toolsNow,
    identify: (sender) => identifyCaller(sender, { verifier, isRequired }),
    load,
    bodyRules: {
      maxBytes: file.limits.http_max_request_bytes,
      json: { maxDepth: jsonLimits.json_max_depth, maxValues: jsonLimits.json_max_values },
      decompress: createDecompressor(file.limits.http_max_request_bytes),
      batchError: () =>
        requestError('BAD_REQUEST', 'The body must be one message: batches are not supported'),
    },
    serveMessage,
    callTool({ exchange, context, signal }, tool, given) {
      const headers = {
        ...headersOfCall(exchange.headers, mcp.client_name),
        traceparent: formatTraceparent(context.trace),
      };
      const head = { url: mcp.path, headers, peer: exchange.peer };
      return callTool(tool, given, { head, serve: serveCall, signal, maxBytes: mcp.max_response_bytes });
    },
  });

  const respondToErrors: RequestInterceptor = async (request, next) => {
    try {
      return await next(request);
    } catch (thrown) {
      const error = toRequestError(thrown, request.context.log);
      const { status } = requestErrorKinds[error.code];
      const { headers } = request.exchange;
      const challenge = resource.challenge(
        headers,
        headers.authorization === undefined ? undefined : 'invalid_token',
      );
      return errorResponse(status, error.message, {
        ...error.headers,
        ...(status === 401 && { 'WWW-Authenticate': challenge }),
      });
    }
  };
  const paths = new Set([mcp.path, ...resource.metadataPaths]);
  const serve = createGraphEndpoint({
    ...dependencies,
    handleRequest: composeInterceptors<GatewayRequest, HttpResponse | Promise<HttpResponse>>(
      [cors(file.cors, [...paths]), respondToErrors, throttleRequests(rateLimiters, config)?.aroundRequest],
      handleRequest,
    ),
  });
  return (exchange) => void (paths.has(targetOf(exchange).path) ? serve : app)(exchange);
}

function withMaxCost(tiers: TierRules, max: number | undefined): TierRules {
  return max === undefined
    ? tiers
    : mapCosts(tiers, (cost) => ({
        ...cost,
        demand: {
          max: cost.demand?.isEnforced === true ? Math.min(max, cost.demand.max) : max,
          isEnforced: true,
        },
      }));
}

/** The tools, made anew when the manifest or the graph has changed. A replaced graph is not kept. */
function rememberTools(
  manifestNow: () => Manifest,
  graphNow: () => Graph,
  create: (manifest: Manifest, graph: Graph) => Tools,
): () => Tools {
  let known:
    | { readonly manifest: Manifest; readonly graph: WeakRef<Graph>; readonly tools: Tools }
    | undefined;
  return () => {
    const [manifest, graph] = [manifestNow(), graphNow()];
    if (known?.manifest !== manifest || known.graph.deref() !== graph) {
      known = { manifest, graph: new WeakRef(graph), tools: create(manifest, graph) };
    }
    return known.tools;
  };
}
