import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { Health } from '@meridian/local-stack';

import { markerOfReload } from '../load/operations.ts';
import type { GatewayFiles } from './gateway-files.ts';
import { reviewsTimeoutMs } from './gateway-files.ts';
import type { Outages } from './outages.ts';
import type { Probe } from './probe.ts';

/** An event that happens to the stack under load. */
export interface SoakEvent {
  /** A name for the report. */
  readonly name: string;
  /**
   * Resolves once the stack has recovered from it, or uses the change.
   *
   * @throws {Error} if it does not
   */
  readonly run: () => Promise<void>;
}

/** The tools of events. */
export interface EventTools {
  /** Sends a signal to a service's process. */
  readonly signal: (service: string, signal: NodeJS.Signals) => Promise<void>;
  readonly outages: Outages;
  /** Emits the health of services, by its name: `reviews ready`. */
  readonly health: EventEmitter;
  readonly files: GatewayFiles;
  readonly probe: Probe;
}

/** Every kind of event but the restart of the gateway, in the order in which they happen, again and again. */
export function recurringEvents(tools: EventTools): readonly SoakEvent[] {
  let markers = 0;
  let areLimitsWide = false;
  let isKeptShorter = false;
  const { files, probe } = tools;
  return [
    killed('reviews', tools),
    {
      name: 'manifest reloaded',
      async run() {
        markers += 1;
        files.writeManifest(markerOfReload(markers));
        await probe.untilMarkerIs(markers);
      },
    },
    stopped('products', tools),
    {
      name: 'router.yaml reloaded',
      async run() {
        areLimitsWide = !areLimitsWide;
        files.writeConfig(maxAliases(areLimitsWide));
        await probe.untilAliasesAre(areLimitsWide ? 'allowed' : 'rejected');
      },
    },
    killed('users', tools),
    {
      name: 'supergraph reloaded',
      async run() {
        isKeptShorter = !isKeptShorter;
        files.writeSupergraph(maxAgeSeconds(isKeptShorter));
        await probe.untilMaxAgeIs(maxAgeSeconds(isKeptShorter));
      },
    },
    hung('reviews', reviewsTimeoutMs + 1500, tools),
    stopped('orders', tools),
    {
      name: 'bad files rejected',
      async run() {
        await probe.untilRejected(() => files.damage('manifest'));
        files.writeManifest(markerOfReload(markers));
        await probe.untilRejected(() => files.damage('supergraph'));
        files.writeSupergraph(maxAgeSeconds(isKeptShorter));
        await probe.untilRejected(() => files.damage('config'));
        files.writeConfig(maxAliases(areLimitsWide));
      },
    },
    killed('accounts', tools),
  ];
}

/** The gateway stops in order and starts again. Clients see only refused connections for a moment. */
export function gatewayRestart(tools: EventTools): SoakEvent {
  return stopped('gateway', tools);
}

/** Writes the initial files. */
export function writeFirstFiles(files: GatewayFiles): void {
  files.writeManifest(markerOfReload(0));
  files.writeConfig(maxAliases(false));
  files.writeSupergraph(maxAgeSeconds(false));
}

const maxAliases = (areWide: boolean): number => (areWide ? 31 : 30);
const maxAgeSeconds = (isShorter: boolean): number => (isShorter ? 59 : 60);

function killed(service: string, { signal, outages, health }: EventTools): SoakEvent {
  return {
    name: `${service} killed`,
    async run() {
      outages.begin(service, 'killed');
      const ready = next(health, service, 'ready');
      await signal(service, 'SIGKILL');
      await ready;
      outages.end(service);
    },
  };
}

function stopped(service: string, { signal, outages, health }: EventTools): SoakEvent {
  return {
    name: `${service} restarted`,
    async run() {
      outages.begin(service, 'stopped');
      const down = next(health, service, 'down');
      const ready = next(health, service, 'ready');
      await signal(service, 'SIGTERM');
      const [{ how }] = await Promise.all([down, ready]);
      outages.end(service);
      if (how !== 'ended with exit code 0') {
        throw new Error(`${service} ${how}`);
      }
    },
  };
}

const recoveryMs = 60_000;

/** Waits until the service next has this health. */
async function next<Is extends Health['is']>(
  health: EventEmitter,
  service: string,
  is: Is,
): Promise<Extract<Health, { readonly is: Is }>> {
  const signal = AbortSignal.timeout(recoveryMs);
  const [now]: unknown[] = await once(health, `${service} ${is}`, { signal }).catch((cause: unknown) => {
    throw new Error(`${service} is not ${is} within ${recoveryMs / 1000} s`, { cause });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event has it
  return now as Extract<Health, { readonly is: Is }>;
}

/** Suspended: it keeps its connections, and never responds. */
function hung(service: string, forMs: number, { signal, outages }: EventTools): SoakEvent {
  return {
    name: `${service} hung`,
    async run() {
      outages.begin(service, 'hung');
      await signal(service, 'SIGSTOP');
      try {
        await delay(forMs);
      } finally {
        await signal(service, 'SIGCONT');
      }
      outages.end(service);
    },
  };
}
