import type { IncomingMessage, RequestListener } from 'node:http';

import type { Answer, RenderProblem } from '@meridian/http';
import { requestIdOf, sendAnswer } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { Logger } from '@meridian/telemetry';

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
  /** Why they cannot be ready, whatever they say; undefined where all that there should be listen. */
  readonly reasonAgainst: () => string | undefined;
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
}

/** How long a worker may take to answer. */
const workerTimeoutMs = 2000;

/**
 * The admin listener of several workers, in front of those that each has for itself: `/readyz` is 200 while all of them are
 * ready, `/metrics` has the samples of each, and any other path is answered by the first that knows an answer.
 */
export function createWorkersAdmin(options: WorkersAdminOptions): RequestListener {
  const { workers, reasonAgainst, renderProblem, logger } = options;
  const unavailable = (detail: string): Answer => renderProblem(problem('unavailable', detail));
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const path = request.url?.split('?', 1)[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/livez' && isRead) {
      return plainText('alive\n');
    }
    const reason = reasonAgainst();
    if (path === '/readyz' && isRead && reason !== undefined) {
      return unavailable(reason);
    }
    const answers = await Promise.all(
      workers().map(async ({ name, adminUrl }) => await ask(name, adminUrl, request)),
    );
    if (path === '/readyz') {
      return answers.find(({ status }) => status !== 200) ?? plainText('ready\n');
    }
    const [first] = answers;
    if (path === '/metrics' && first?.status === 200) {
      const texts = answers.map(({ name, body }) => ({ worker: name, text: body }));
      return { status: 200, headers: first.headers, body: mergeMetrics(texts) };
    }
    return answers.find(({ status }) => status !== 404) ?? first ?? unavailable('No worker listens.');
  };

  return (request, response) => {
    const requestId = requestIdOf(response);
    void answerTo(request)
      .catch((error: unknown) => {
        // It is gone by now, and another is on its way; or it hangs.
        logger.warn({ err: error, requestId }, 'a worker does not answer its admin listener');
        return unavailable('A worker does not answer.');
      })
      .then((answer) => sendAnswer(request, response, answer));
  };
}

interface WorkerAnswer {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The header fields that say what an answer is. */
const keptFields = new Set(['content-type', 'cache-control', 'allow', 'retry-after', 'www-authenticate']);

async function ask(
  name: string,
  adminUrl: string,
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
