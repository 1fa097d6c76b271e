import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { codesOfResponse, persistedRequest } from '../load/send-operation.ts';
import type { HttpResponse, Sender } from '../load/http-sender.ts';
import type { Load } from '../load/session.ts';
import { aliasesOnTheEdge, markerOfReload } from '../load/soak-operations.ts';

/** Waits until the gateway uses a changed file; each function rejects if that takes too long. */
export interface Probe {
  /** Waits until the marker of that reload is registered, and the previous one is not. */
  untilMarkerIs(number: number): Promise<void>;
  /** Waits until an operation with 31 aliases has this outcome. */
  untilAliasesAre(state: 'allowed' | 'rejected'): Promise<void>;
  /** Waits until responses to `me` may be cached for this long. */
  untilMaxAgeIs(seconds: number): Promise<void>;
  /** Waits until the gateway's log says that a changed file is rejected and the previous one is kept. */
  untilRejected(change: () => void): Promise<void>;
}

export interface ProbeOptions {
  readonly targets: Load['targets'];
  readonly identifierOf: Load['identifierOf'];
  readonly sender: Sender;
  readonly token: string;
  readonly gatewayLog: string;
}

const lookEveryMs = 100;
/** The gateway checks its files every second, and warms up before it uses a changed one. */
const timeoutMs = 30_000;

export function createProbe({ targets, identifierOf, sender, token, gatewayLog }: ProbeOptions): Probe {
  const send = async (operation: string, method: 'GET' | 'POST' = 'POST'): Promise<HttpResponse> => {
    const load = {
      targets,
      identifierOf: (name: string) =>
        /^Reload\d+$/u.test(name) ? markerOfReload(Number(name.slice(6))).id : identifierOf(name),
    };
    return await sender.send(persistedRequest({ load }, { operation, method, variables: {}, token }));
  };
  const codesFor = async (operation: string): Promise<string> =>
    codesOfResponse(await send(operation)).join();
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
        const isRejected = (await codesFor(aliasesOnTheEdge.name)) === 'MAX_ALIASES_LIMIT';
        return isRejected === (state === 'rejected');
      }),
    untilMaxAgeIs: (seconds) =>
      until(`Cache-Control says max-age=${seconds}`, async () => {
        const { headers } = await send('Me', 'GET');
        return new RegExp(`\\bmax-age=${seconds}\\b`, 'u').test(String(headers['cache-control']));
      }),
    async untilRejected(change) {
      const { size } = statSync(gatewayLog);
      change();
      await until('the log says that the changed file is rejected', async () =>
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
