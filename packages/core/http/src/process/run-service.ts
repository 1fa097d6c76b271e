import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { StopController } from '@meridian/cancellation';
import type { StopSignal } from '@meridian/cancellation';
import { problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { RenderProblem } from '../exchange/render-problem.ts';
import { createHttpServer } from '../http-server.ts';
import type { HttpServer, HttpServing } from '../http-server.ts';
import { listen } from '../server/listen.ts';
import type { ListenAddress } from '../server/listen.ts';
import type { HeadLimits } from '../server/message-rules.ts';
import type { ServerCertificate, TlsOptions } from '../server/secure-server.ts';
import { ServiceStopping } from '../exchange/early-end.ts';
import { createAdminListener } from './admin-listener.ts';
import type { AdminRoute } from './admin-listener.ts';
import { keepObjectsYoung } from './keep-objects-young.ts';

export interface ServiceOptions {
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly listen: ListenAddress;
  readonly admin: ListenAddress;
  readonly renderProblem: RenderProblem;
  /**
   * Opens the service, which may take a while: until then it is live, and not ready.
   *
   * @param stopping aborts when the service stops and has stopped accepting connections, so that a client that comes
   *   again gets to another process: bodies in parts that have no end of their own must end then. They have four fifths
   *   of the grace
   */
  readonly open: (stopping: StopSignal) => OpenService | Promise<OpenService>;
  /** Of the listener for clients. Default: without TLS. */
  readonly tls?: TlsOptions | undefined;
  /** Of the listener for clients, as in `createHttpServer`. */
  readonly headLimits?: Partial<HeadLimits> | undefined;
  readonly maxHttp2HeadBytes?: number | undefined;
  readonly maxReceivingMs?: number | undefined;
  /** The most connections of each listener at a time. Default: one for each 256 KiB of the heap's limit. */
  readonly maxConnections?: number | undefined;
  /** The longest time for stopping. */
  readonly shutdownGraceMs: number;
}

/** The parts of a service that has started. */
export type OpenService = HttpServing & {
  /** Rejects while the service cannot work. */
  readonly isReady: (signal: AbortSignal) => Promise<void>;
  /** Paths of the admin listener, in addition to `/livez`, `/readyz` and `/metrics`. */
  readonly adminRoutes?: Readonly<Record<string, AdminRoute>>;
  /** Releases what the handler used, such as the database pool, once no request is left. */
  readonly close: () => Promise<void>;
};

/** A service that serves requests. */
export interface RunningService {
  readonly address: ListenAddress;
  readonly adminAddress: ListenAddress;
  /** Stops it without losing a request, within the grace. Further calls wait for the same end. */
  stop(): Promise<void>;
  /**
   * From now on, new connections get this certificate. Absent without TLS, and where other processes serve.
   *
   * @throws {Error} when it is not usable
   */
  replaceCertificate?(certificate: ServerCertificate): void;
}

/** The time that a probe under way gets after everything else has stopped. */
const adminCloseMs = 100;

/**
 * Starts the two listeners of a service: the one for probes first, the one for clients when the service is open.
 *
 * @throws {ListenError} when it cannot listen; passes on errors of `open`. Nothing is left running then
 */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  keepObjectsYoung();
  const { name, logger } = options;
  let phase: 'starting' | 'stopping' | OpenService = 'starting';
  /** @throws {Problem} while it is not open */
  const opened = (): OpenService => {
    if (typeof phase === 'string') {
      throw problem('unavailable', `The service is ${phase}.`);
    }
    return phase;
  };
  const { tls: _tls, headLimits: _headLimits, maxHttp2HeadBytes: _maxHttp2HeadBytes, ...ofBoth } = options;
  const admin = createHttpServer({
    ...ofBoth,
    handler: createAdminListener({
      ...options,
      routes: () => opened().adminRoutes ?? {},
      isReady: async (signal) => await opened().isReady(signal),
    }),
  });

  const adminAddress = await listen(admin.server, options.admin);
  const stopping = new StopController();
  const { open, service, address } = await openAndListen(options, stopping).catch(async (error: unknown) => {
    await closeWithin(admin, adminCloseMs);
    throw error;
  });
  phase = open;
  logger.info({ address, adminAddress }, `${name} is listening`);

  const stop = async (): Promise<void> => {
    phase = 'stopping';
    await stopInOrder(service, admin, { ...options, stopping, close: open.close });
  };
  let stopped: Promise<void> | undefined;
  return {
    address,
    adminAddress,
    stop: () => (stopped ??= stop()),
    ...(options.tls && { replaceCertificate: (certificate) => service.replaceCertificate(certificate) }),
  };
}

interface ListeningService {
  readonly open: OpenService;
  readonly service: HttpServer;
  readonly address: ListenAddress;
}

async function openAndListen(options: ServiceOptions, stopping: StopSignal): Promise<ListeningService> {
  const open = await options.open(stopping);
  const service = createHttpServer({ ...options, ...servingOf(open) });
  try {
    return { open, service, address: await listen(service.server, options.listen) };
  } catch (error) {
    await open.close();
    throw error;
  }
}

function servingOf(open: OpenService): HttpServing {
  const { upgrade } = open;
  return 'serve' in open ? { serve: open.serve, upgrade } : { handler: open.handler, upgrade };
}

/** The longest time that a stopping service still accepts connections, so that load balancers notice. */
const maxAnnouncementMs = 1000;

/**
 * Stops a service without losing a request. At first it still accepts, while `/readyz` is 503 and each response has
 * `Connection: close`: clients notice before it is gone. Then it stops accepting, tells bodies in parts to end, lets
 * requests under way finish, and closes connections as they become idle. Requests that outlast the grace are cut off.
 */
async function stopInOrder(
  service: HttpServer,
  admin: HttpServer,
  {
    logger,
    shutdownGraceMs,
    stopping,
    close,
  }: Pick<ServiceOptions, 'logger' | 'shutdownGraceMs'> &
    Pick<OpenService, 'close'> & { readonly stopping: StopController },
): Promise<void> {
  const startedMs = performance.now();
  const untilShareMs = (share: number): number =>
    Math.max(0, startedMs + shutdownGraceMs * share - performance.now());
  logger.info({ shutdownGraceMs }, 'stopping');
  service.connections.announceClose();
  await delay(Math.min(maxAnnouncementMs, shutdownGraceMs / 4));
  await closeWithin(service, untilShareMs(0.8), () => stopping.abort(new ServiceStopping()));
  await Promise.race([close(), delay(untilShareMs(0.85), undefined, { ref: false })]);
  await closeWithin(admin, Math.min(adminCloseMs, untilShareMs(0.9)));
  logger.info({ durationMs: performance.now() - startedMs }, 'stopped');
}

/** The interval between checks for idle connections, in milliseconds. */
const idleCheckMs = 20;

/** Stops accepting, and resolves when the last connection has ended, by itself or by force when the time is over. */
async function closeWithin(
  service: HttpServer,
  timeoutMs: number,
  onStopAccepting: () => void = () => {},
): Promise<void> {
  const closed = once(service.server, 'close');
  const cutOff = setTimeout(() => service.connections.closeAll(), timeoutMs);
  await service.stopAccepting();
  onStopAccepting();
  const idleCheck = setInterval(() => service.connections.closeIdle(), idleCheckMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(cutOff);
}
