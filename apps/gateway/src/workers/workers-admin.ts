import type { IncomingMessage, RequestListener } from 'node:http';

import { sendAnswer } from '@meridian/http';
import type { Answer } from '@meridian/http';

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
}

/** How long a worker may take to answer. */
const workerTimeoutMs = 2000;

/**
 * The admin listener of several workers, in front of those that each has for itself: `/readyz` is 200 while all of them are
 * ready, `/metrics` has the samples of each, and any other path is answered by the first that knows an answer.
 */
export function createWorkersAdmin({ workers, reasonAgainst }: WorkersAdminOptions): RequestListener {
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/livez') {
      return plainText(200, 'alive\n');
    }
    const reason = reasonAgainst();
    if (path === '/readyz' && reason !== undefined) {
      return plainText(503, `not ready: ${reason}\n`);
    }
    const answers = await Promise.all(
      workers().map(async ({ name, adminUrl }) => await ask(name, adminUrl, request)),
    );
    if (path === '/readyz') {
      return answers.find(({ status }) => status !== 200) ?? plainText(200, 'ready\n');
    }
    const [first] = answers;
    if (path === '/metrics' && first?.status === 200) {
      const texts = answers.map(({ name, body }) => ({ worker: name, text: body }));
      return { status: 200, headers: first.headers, body: mergeMetrics(texts) };
    }
    return answers.find(({ status }) => status !== 404) ?? first ?? plainText(503, 'not ready\n');
  };

  return (request, response) => {
    void answerTo(request)
      // A worker that is gone by now; another is on its way.
      .catch(() => plainText(503, 'a worker does not answer\n'))
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

function plainText(status: number, body: string): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(status === 503 && { 'Retry-After': '1' }),
    },
    body,
  };
}
