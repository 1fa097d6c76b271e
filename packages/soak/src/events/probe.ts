import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { codesOfResponse, persistedRequest } from '../load/ask-graph.ts';
import type { HttpResponse, Sender } from '../load/send-request.ts';
import type { Load } from '../load/session.ts';
import { aliasesOnTheEdge, markerOfReload } from '../load/soak-operations.ts';

/** Sees whether the gateway has taken up what has changed: each of these rejects where it has not within a while. */
export interface Probe {
  /** Until the marker of that reload is registered, and the one before it is not any more. */
  untilMarkerIs(number: number): Promise<void>;
  /** Until an operation with 31 aliases is this. */
  untilAliasesAre(state: 'allowed' | 'refused'): Promise<void>;
  /** Until what `me` answers may be kept for so long. */
  untilMaxAgeIs(seconds: number): Promise<void>;
  /** Until the gateway's log says that a changed file is rejected and the previous one is kept. */
  untilRefused(change: () => void): Promise<void>;
}

export interface ProbeOptions {
  readonly targets: Load['targets'];
  readonly identifierOf: Load['identifierOf'];
  readonly sender: Sender;
  readonly token: string;
  readonly gatewayLog: string;
}

const lookEveryMs = 100;
/** The gateway looks at its files every second, and plans what it has to before it takes up what has changed. */
const timeoutMs = 30_000;

export function createProbe({ targets, identifierOf, sender, token, gatewayLog }: ProbeOptions): Probe {
  const ask = async (operation: string, method: 'GET' | 'POST' = 'POST'): Promise<HttpResponse> => {
    const load = {
      targets,
      identifierOf: (name: string) =>
        /^Reload\d+$/u.test(name) ? markerOfReload(Number(name.slice(6))).id : identifierOf(name),
    };
    return await sender.send(persistedRequest({ load }, { operation, method, variables: {}, token }));
  };
  const codesFor = async (operation: string): Promise<string> => codesOfResponse(await ask(operation)).join();
  return {
    untilMarkerIs: (number) =>
      until(`the manifest with Reload${number} is taken up`, async () => {
        const [now, before] = await Promise.all([
          codesFor(`Reload${number}`),
          codesFor(`Reload${number - 1}`),
        ]);
        return now !== notListed && before === notListed;
      }),
    untilAliasesAre: (state) =>
      until(`31 aliases are ${state}`, async () => {
        const isRefused = (await codesFor(aliasesOnTheEdge.name)) === 'MAX_ALIASES_LIMIT';
        return isRefused === (state === 'refused');
      }),
    untilMaxAgeIs: (seconds) =>
      until(`Cache-Control says max-age=${seconds}`, async () => {
        const { headers } = await ask('Me', 'GET');
        return new RegExp(`\\bmax-age=${seconds}\\b`, 'u').test(String(headers['cache-control']));
      }),
    async untilRefused(change) {
      const { size } = statSync(gatewayLog);
      change();
      await until('the log says that the changed file is refused', async () =>
        (await textFrom(gatewayLog, size)).includes('rejected; keeping'),
      );
    },
  };
}

const notListed = 'PERSISTED_QUERY_NOT_IN_LIST';

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
    }
    await delay(lookEveryMs);
  }
}

async function textFrom(path: string, position: number): Promise<string> {
  return await text(createReadStream(path, { start: position }));
}
