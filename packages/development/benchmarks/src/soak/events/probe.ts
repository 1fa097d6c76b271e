import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { codesOfResponse, persistedRequest } from '../load/send-operation.ts';
import type { HttpResponse, Sender } from '../load/http-sender.ts';
import type { Load } from '../load/session.ts';
import { aliasesOnTheEdge, markerOfReload } from '../load/operations.ts';

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
const notListed = 'PERSISTED_QUERY_NOT_IN_LIST';

/** Waits until the gateway uses a changed file; each method rejects if that takes too long. */
export class Probe {
  readonly #options: ProbeOptions;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** Waits until the marker of that reload is registered, and the previous one is not. */
  async untilMarkerIs(number: number): Promise<void> {
    await until(`the manifest with Reload${number} is taken up`, async () => {
      const [now, before] = await Promise.all([
        this.#codesFor(`Reload${number}`),
        this.#codesFor(`Reload${number - 1}`),
      ]);
      return now !== notListed && before === notListed;
    });
  }

  /** Waits until an operation with 31 aliases has this outcome. */
  async untilAliasesAre(state: 'allowed' | 'rejected'): Promise<void> {
    await until(`31 aliases are ${state}`, async () => {
      const isRejected = (await this.#codesFor(aliasesOnTheEdge.name)) === 'MAX_ALIASES_LIMIT';
      return isRejected === (state === 'rejected');
    });
  }

  /** Waits until responses to `me` may be cached for this long. */
  async untilMaxAgeIs(seconds: number): Promise<void> {
    await until(`Cache-Control says max-age=${seconds}`, async () => {
      const { headers } = await this.#send('Me', 'GET');
      return new RegExp(`\\bmax-age=${seconds}\\b`, 'u').test(String(headers['cache-control']));
    });
  }

  /** Waits until the gateway's log says that a changed file is rejected and the previous one is kept. */
  async untilRejected(change: () => void): Promise<void> {
    const { gatewayLog } = this.#options;
    const { size: start } = statSync(gatewayLog);
    change();
    await until('the log says that the changed file is rejected', async () =>
      (await text(createReadStream(gatewayLog, { start }))).includes('rejected; keeping'),
    );
  }

  async #codesFor(operation: string): Promise<string> {
    return codesOfResponse(await this.#send(operation)).join();
  }

  async #send(operation: string, method: 'GET' | 'POST' = 'POST'): Promise<HttpResponse> {
    const { targets, identifierOf, sender, token } = this.#options;
    const load = {
      targets,
      identifierOf: (name: string) =>
        /^Reload\d+$/u.test(name) ? markerOfReload(Number(name.slice(6))).id : identifierOf(name),
    };
    return await sender.send(persistedRequest({ load }, { operation, method, variables: {}, token }));
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
    }
    await delay(lookEveryMs);
  }
}
