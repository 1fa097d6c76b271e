import { createDevelopmentIdentity } from '@meridian/auth/development';
import type { DevelopmentIdentity } from '@meridian/auth/development';

import type { DataDirectory } from './data-directory.ts';
import { prepareService } from './prepare/prepare-service.ts';
import { tryStart } from './develop/try-start.ts';
import { createOwnServer, serverName } from './run/own-server.ts';
import { createProcessRecord } from './run/process-record.ts';
import type { Program } from './run/program.ts';
import { startService } from './run/start-service.ts';
import type { Health } from './run/supervise.ts';
import { inStopOrder } from './run/stop-order.ts';
import { createSupervisors } from './run/supervisors.ts';
import { serviceNamed } from './services.ts';
import type { Service } from './services.ts';
import { StackError } from './stack-error.ts';
import { openStackSecret } from './stack-secret.ts';
import type { SecretFor } from './stack-secret.ts';

export interface StackOptions {
  readonly data: DataDirectory;
  /** The services with their ports. */
  readonly services: readonly Service[];
  /** The URL of a PostgreSQL server to use instead of the stack's own. */
  readonly serverUrl: string | undefined;
  /** The services whose data is dropped first. */
  readonly reset: readonly string[];
  /** The inherited environment of services. */
  readonly environment: NodeJS.ProcessEnv;
  readonly onHealth: (name: string, health: Health) => void;
  /** Called with the steps for a service, or for PostgreSQL, before it starts. */
  readonly onStep: (name: string, step: string) => void;
}

/** PostgreSQL and every service, side by side. */
export interface Stack {
  /** Resolves when everything is ready; rejects with the reason of a failure. */
  readonly started: Promise<StartedStack>;
  /**
   * Restarts a service from its current files. They are tried first, beside the running process. If they do not start,
   * it rejects with a StackError, and that process continues.
   */
  replace(name: string): Promise<void>;
  /**
   * Stops everything in order: callers before the services that they call, PostgreSQL last. Resolves when all have
   * ended.
   */
  stop(): Promise<void>;
  /** Kills everything at once. */
  kill(): void;
}

/** The properties of a ready stack. */
export interface StartedStack {
  readonly identity: DevelopmentIdentity;
  /** The URL of PostgreSQL, as its administrator. */
  readonly adminUrl: string;
}

/** Starts a stack. */
export function startStack({ data, services, onHealth, onStep, ...options }: StackOptions): Stack {
  const stopping = new AbortController();
  const record = createProcessRecord(data.processes);
  const supervisors = createSupervisors({
    onHealth,
    failure: (name, how) => new StackError(`${name} ${how}. Its log is ${data.logs}/${name}.log`),
  });

  const openKeys = async (): Promise<{ identity: DevelopmentIdentity; secretFor: SecretFor }> => ({
    identity: await createDevelopmentIdentity(data.identity),
    secretFor: await openStackSecret(data.secret),
  });

  /** Starts PostgreSQL unless a server was given, and returns its administrator's URL. */
  const openServer = async (): Promise<string> => {
    if (options.serverUrl !== undefined) {
      return options.serverUrl;
    }
    const server = createOwnServer({
      dataDirectory: data.postgres,
      record,
      onStep: (step) => onStep(serverName, step),
    });
    await supervisors.keep(serverName, () => server.start());
    return server.url();
  };

  // The start fails with the first failure; the others are still under way then.
  const begun: Promise<unknown>[] = [];
  const begin = <Result>(work: Promise<Result>): Promise<Result> => {
    begun.push(work);
    return work;
  };

  const foundation = Promise.all([begin(openKeys()), begin(openServer())]);

  const prepare = async (service: Service, { isReset }: { readonly isReset: boolean }): Promise<Program> => {
    const [keys, adminUrl] = await foundation;
    const program = await prepareService(service, {
      ...keys,
      ...options,
      data,
      services,
      adminUrl,
      isReset,
      record,
      onStep: (step) => onStep(service.name, step),
      signal: stopping.signal,
    });
    stopping.signal.throwIfAborted();
    return program;
  };

  const startOne = async (service: Service): Promise<void> => {
    const program = await prepare(service, { isReset: options.reset.includes(service.name) });
    await supervisors.keep(service.name, () => startService(program, service.adminPort, record));
  };

  const start = async (): Promise<StartedStack> => {
    const [keys, adminUrl] = await foundation;
    await Promise.all(services.map((service) => begin(startOne(service))));
    return { identity: keys.identity, adminUrl };
  };
  const started = start();

  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const names of inStopOrder(services)) {
      await supervisors.stop(names);
    }
    // Preparations under way still use PostgreSQL.
    await Promise.allSettled(begun);
    await supervisors.stop([serverName]);
  };
  const replace = async (name: string): Promise<void> => {
    const service = serviceNamed(name, services);
    await tryStart(service, await prepare(service, { isReset: false }), { record, signal: stopping.signal });
    stopping.signal.throwIfAborted();
    await supervisors.restart(name);
  };

  let stopped: Promise<void> | undefined;
  return {
    started,
    replace: (name) => begin(replace(name)),
    stop: () => (stopped ??= stop()),
    kill() {
      stopping.abort();
      supervisors.kill();
    },
  };
}
