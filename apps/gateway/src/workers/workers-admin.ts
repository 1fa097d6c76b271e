import type { IncomingMessage, RequestListener } from 'node:http';

import type { Answer, RenderProblem } from '@meridian/http';
import { requestIdOf, sendAnswer } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import { mergeMetrics } from './merge-metrics.ts';

/** A worker as the admin listener of all of them asks it. */
export interface AskedWorker {
  readonly name: string;
  /** Of its own admin listener. */
  readonly adminUrl: string;
}

export interface WorkersAdminOptions {
  /** Those that listen. */
  readonly workers: () => readonly AskedWorker[];
  readonly isStopping: () => boolean;
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
  /** Those of the process that has the workers. */
  readonly metrics: Metrics;
}

/** How long a worker may take to answer. */
const workerTimeoutMs = 2000;

/**
 * The admin listener of several workers, in front of those that each has for itself: `/readyz` is 200 while one of them is
 * ready, `/metrics` has the samples of each, and any other path is answered by the first that knows an answer.
 */
export function createWorkersAdmin(options: WorkersAdminOptions): RequestListener {
  const { workers, isStopping, renderProblem, logger, metrics } = options;
  const ask = createAsk(logger);
  const unavailable = (detail: string): Answer => renderProblem(problem('unavailable', detail));

  const readiness = async (request: IncomingMessage): Promise<Answer> => {
    if (isStopping()) {
      return unavailable('The gateway is stopping.');
    }
    try {
      // The first answer will do: nobody waits for one that hangs.
      await Promise.any(workers().map(async (worker) => requireOk(await ask(worker, request))));
      return plainText('ready\n');
    } catch {
      return unavailable('No worker is ready.');
    }
  };
  const allMetrics = async (request: IncomingMessage): Promise<Answer> => {
    const answers = await Promise.all(workers().map((worker) => ask(worker, request)));
    const texts = answers.flatMap((answer) =>
      answer?.status === 200 ? { worker: answer.name, text: answer.body } : [],
    );
    const own = { worker: 'primary', text: await metrics.registry.metrics() };
    return {
      status: 200,
      headers: { 'Content-Type': metrics.registry.contentType },
      body: mergeMetrics([...texts, own]),
    };
  };
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const path = request.url?.split('?', 1)[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/livez' && isRead) {
      return plainText('alive\n');
    }
    if (path === '/readyz' && isRead) {
      return await readiness(request);
    }
    if (path === '/metrics' && isRead) {
      return await allMetrics(request);
    }
    const answers = await Promise.all(workers().map((worker) => ask(worker, request)));
    const known = answers.filter((answer) => answer !== undefined);
    return known.find(({ status }) => status !== 404) ?? known[0] ?? unavailable('No worker answers.');
  };

  return (request, response) => {
    // Each answer has an id, also those that are made here.
    const requestId = requestIdOf(response);
    void answerTo(request)
      .catch((error: unknown) => {
        logger.error({ err: error, requestId }, 'admin request failed');
        return unavailable('The gateway failed unexpectedly.');
      })
      .then((answer) => sendAnswer(request, response, answer));
  };
}

function requireOk(answer: WorkerAnswer | undefined): void {
  if (answer?.status !== 200) {
    throw new Error('the worker is not ready');
  }
}

interface WorkerAnswer {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The header fields that say what an answer is. */
const keptFields = new Set(['content-type', 'cache-control', 'allow', 'retry-after', 'www-authenticate']);

type Ask = (worker: AskedWorker, request: IncomingMessage) => Promise<WorkerAnswer | undefined>;

/** Creates what asks a worker. One that does not answer is undefined, with a line in the log until it answers again. */
function createAsk(logger: Logger): Ask {
  const silent = new Set<string>();
  return async (worker, request) => {
    try {
      const answer = await exchange(worker, request);
      silent.delete(worker.name);
      return answer;
    } catch (error) {
      // It is gone by now, and another is on its way; or it hangs.
      if (!silent.has(worker.name)) {
        silent.add(worker.name);
        logger.warn({ err: error, worker: worker.name }, 'a worker does not answer its admin listener');
      }
      return undefined;
    }
  };
}

async function exchange(
  { name, adminUrl }: AskedWorker,
  { method = 'GET', url = '/', headers }: IncomingMessage,
): Promise<WorkerAnswer> {
  const { authorization, accept } = headers;
  const answer = await fetch(new URL(url, adminUrl), {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(accept !== undefined && { accept }),
    },
    signal: AbortSignal.timeout(workerTimeoutMs),
  });
  return {
    name,
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([field]) => keptFields.has(field))),
    body: await answer.text(),
  };
}

function plainText(body: string): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    body,
  };
}
