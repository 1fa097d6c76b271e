import type { IncomingMessage, RequestListener } from 'node:http';

import type { HttpResponse, RenderProblem } from '@meridian/http';
import { methodNotAllowed, plainText, requestIdOf, sendResponse, targetOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';
import { mergeMetrics } from '@meridian/telemetry';

import { asksForReadiness } from '../http/health-route.ts';

/** A worker as the shared admin listener sees it. */
export interface ListeningWorker {
  readonly name: string;
  /** Of its own admin listener. */
  readonly adminUrl: string;
}

export interface WorkersAdminOptions {
  /** The workers that listen. */
  readonly workers: () => readonly ListeningWorker[];
  readonly isStopping: () => boolean;
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
  /** The metrics of the process that has the workers. */
  readonly metrics: Metrics;
}

/** The time that a worker may take to respond. */
const workerTimeoutMs = 2000;

/**
 * The admin listener of several workers, in front of the workers' own: `/readyz` and `?ready` of the health check are 200
 * while one of them is ready, `/metrics` has the samples of each, and any other path gets the response of the first
 * worker that knows it.
 */
export function createWorkersAdmin(options: WorkersAdminOptions): RequestListener {
  const { workers, isStopping, renderProblem, logger, metrics } = options;
  const ask = createAsk(logger);
  const unavailable = (detail: string): HttpResponse => renderProblem(problem('unavailable', detail));

  const readiness = async (request: IncomingMessage): Promise<HttpResponse> => {
    if (isStopping()) {
      return unavailable('The gateway is stopping.');
    }
    const ready = await firstOk(workers().map((worker) => ask(worker, request)));
    return ready === undefined ? unavailable('No worker is ready.') : plainText('ready\n');
  };
  const allMetrics = async (request: IncomingMessage): Promise<HttpResponse> => {
    const responses = await Promise.all(workers().map((worker) => ask(worker, request)));
    const texts = responses.flatMap((response) =>
      response?.status === 200 ? { worker: response.name, text: response.body } : [],
    );
    const own = { worker: 'primary', text: await metrics.registry.metrics() };
    return {
      status: 200,
      headers: { 'Content-Type': metrics.registry.contentType },
      body: mergeMetrics([...texts, own]),
    };
  };
  const responseTo = async (request: IncomingMessage): Promise<HttpResponse> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return renderProblem(methodNotAllowed(request));
    }
    const { path } = targetOf(request);
    if (path === '/livez') {
      return plainText('alive\n');
    }
    if (path === '/readyz') {
      return await readiness(request);
    }
    if (path === '/metrics') {
      return await allMetrics(request);
    }
    if (URL.parse(path, 'http://worker')?.pathname !== path) {
      // No path of a worker, and resolving it could make it one: `/./metrics`.
      return renderProblem(problem('route-not-found', 'The admin listener has no such path.'));
    }
    const responses = workers().map((worker) => ask(worker, request));
    const ready = asksForReadiness(request) ? await firstOk(responses) : undefined;
    if (ready !== undefined) {
      return ready;
    }
    const known = (await Promise.all(responses)).filter((response) => response !== undefined);
    return known.find(({ status }) => status !== 404) ?? known[0] ?? unavailable('No worker responds.');
  };

  return (request, response) => {
    // Every response has a request id, including those that are made here.
    const requestId = requestIdOf(response);
    void responseTo(request)
      .catch((error: unknown) => {
        logger.error({ err: error, requestId }, 'admin request failed');
        return unavailable('The gateway failed unexpectedly.');
      })
      .then((httpResponse) => sendResponse(request, response, httpResponse));
  };
}

/** The first successful response, as soon as it is there: a worker that hangs delays nothing. */
async function firstOk(
  responses: readonly Promise<WorkerResponse | undefined>[],
): Promise<WorkerResponse | undefined> {
  try {
    return await Promise.any(responses.map(async (response) => requireOk(await response)));
  } catch {
    return undefined;
  }
}

function requireOk(response: WorkerResponse | undefined): WorkerResponse {
  if (response?.status !== 200) {
    throw new Error('the worker is not ready');
  }
  return response;
}

interface WorkerResponse {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The header fields that describe a response. */
const keptFields = new Set(['content-type', 'cache-control', 'allow', 'retry-after', 'www-authenticate']);

type Ask = (worker: ListeningWorker, request: IncomingMessage) => Promise<WorkerResponse | undefined>;

/**
 * Sends requests to a worker. Returns undefined for a worker that does not respond, with one log line until it
 * responds again.
 */
function createAsk(logger: Logger): Ask {
  const silent = new Set<string>();
  return async (worker, request) => {
    try {
      const response = await exchange(worker, request);
      silent.delete(worker.name);
      return response;
    } catch (error) {
      // It has ended and is being replaced, or it hangs.
      if (!silent.has(worker.name)) {
        silent.add(worker.name);
        logger.warn({ err: error, worker: worker.name }, 'the admin listener of a worker does not respond');
      }
      return undefined;
    }
  };
}

async function exchange(
  { name, adminUrl }: ListeningWorker,
  request: IncomingMessage,
): Promise<WorkerResponse> {
  const { authorization, accept } = request.headers;
  const { path, query } = targetOf(request);
  // Not resolved as a reference: a target may be a whole URL, or look like one without a scheme, `//other.example`.
  const url = new URL(adminUrl);
  url.pathname = path;
  url.search = query;
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    redirect: 'manual',
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(accept !== undefined && { accept }),
    },
    signal: AbortSignal.timeout(workerTimeoutMs),
  });
  return {
    name,
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([field]) => keptFields.has(field))),
    body: await response.text(),
  };
}
