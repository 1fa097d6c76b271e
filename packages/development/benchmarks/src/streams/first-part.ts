import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { median } from '../harness/numbers.ts';

const rounds = 2000;
const warmUpRounds = 1000;

/**
 * The time to the first part of a query with `@defer`, as a share of the time of the query without the deferred field:
 * medians of requests in turn, one after another. `no parts` where there are none.
 */
export async function compareFirstPart(url: string): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (query: string): Promise<Timed> => timeFirstByte(url, JSON.stringify({ query }), agent);
  const whole: number[] = [];
  const deferred: number[] = [];
  try {
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      const { contentType, ms } = await ask('query Late { cheapest { id price ... @defer { name } } }');
      if (!contentType.startsWith('multipart/')) {
        return 'no parts';
      }
      const { ms: wholeMs } = await ask('query Whole { cheapest { id price } }');
      if (round >= warmUpRounds) {
        deferred.push(ms);
        whole.push(wholeMs);
      }
    }
  } finally {
    agent.destroy();
  }
  return `${median(deferred).toFixed(2)} ÷ ${median(whole).toFixed(2)} ms = ${(median(deferred) / median(whole)).toFixed(2)}`;
}

interface Timed {
  readonly contentType: string;
  /** Until the first bytes of the body. */
  readonly ms: number;
}

async function timeFirstByte(url: string, body: string, agent: Agent): Promise<Timed> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'multipart/mixed;deferSpec=20220824, multipart/mixed, application/json',
  };
  const startedMs = performance.now();
  const sent = request(url, { method: 'POST', headers, agent });
  sent.end(body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event has it
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const ended = once(response, 'end');
  await once(response, 'data');
  const ms = performance.now() - startedMs;
  await ended;
  return { contentType: response.headers['content-type'] ?? '', ms };
}
