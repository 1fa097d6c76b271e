import { createDevelopmentIdentity } from '@meridian/auth/development';
import type { DevelopmentIdentity } from '@meridian/auth/development';

import type { DataDirectory } from './data-directory.ts';
import type { StartOptions } from './options/start-options.ts';
import { prepareService } from './prepare/prepare-service.ts';
import { OwnServer, serverName } from './run/own-server.ts';
import { createProcessRecord } from './run/process-record.ts';
import type { ProcessRecord } from './run/process-record.ts';
import type { Program } from './run/program.ts';
import { startService } from './run/start-service.ts';
import { supervise } from './run/supervise.ts';
import type { Health, Running, Supervisor } from './run/supervise.ts';
import { inStopOrder } from './run/stop-order.ts';
import { serviceNamed } from './apps/services.ts';
import type { Service } from './apps/services.ts';
import { StackError } from './stack-error.ts';
import { openStackSecret } from './stack-secret.ts';
import type { SecretFor } from './stack-secret.ts';

export interface StackOptions extends Pick<StartOptions, 'serverUrl' | 'reset' | 'environment'> {
  readonly data: DataDirectory;
  /** The services with their ports. */
  readonly services: readonly Service[];
  /** Default: on the service's own ports. */
  readonly startProcess?: StartProcess | undefined;
  readonly onHealth: (name: string, health: Health) => void;
  /** Called with the steps for a service, or for PostgreSQL, before it starts. */
  readonly onStep: (name: string, step: string) => void;
}

/** Starts the process of a service. */
export type StartProcess = (service: Service, program: Program, record: ProcessRecord) => Promise<Running>;

export const startOnOwnPorts: StartProcess = (service, program, record) =>
  startService(program, service.adminPort, record);

/** A process that runs beside the one that it may replace, and is ready. */
export interface Trial {
  /** Gives it the requests, and ends the other one, which completes those that it has. */
  promote(): Promise<void>;
  end(): Promise<void>;
}

/** PostgreSQL and every service, side by side. */
export type Stack = ReturnType<typeof startStack>;

/** The properties of a ready stack. */
export interface StartedStack {
  readonly identity: DevelopmentIdentity;
  /** The URL of PostgreSQL, as its administrator. */
  readonly adminUrl: string;
}

/** Starts a stack. */
export function startStack({
  data,
  services,
  startProcess = startOnOwnPorts,
  onHealth,
  onStep,
  ...options
}: StackOptions) {
  const stopping = new AbortController();
  const record = createProcessRecord(data.processes);
  const supervisors = new Map<string, Supervisor>();
  /** Resolves when the process is ready for the first time; rejects if that fails. */
  const keep = async (name: string, startIt: () => Promise<Running>): Promise<void> => {
    const supervisor = supervise({
      start: startIt,
      onHealth: (health) => onHealth(name, health),
      failure: (how) => new StackError(`${name} ${how}. Its log is ${data.logs}/${name}.log`),
    });
    supervisors.set(name, supervisor);
    await supervisor.started;
  };

  const openKeys = async (): Promise<{ identity: DevelopmentIdentity; secretFor: SecretFor }> => ({
    identity: await createDevelopmentIdentity(data.identity),
    secretFor: await openStackSecret(data.secret),
  });

  /** Starts PostgreSQL unless a server was given, and returns its administrator's URL. */
  const openServer = async (): Promise<string> => {
    if (options.serverUrl !== undefined) {
      return options.serverUrl;
    }
    const server = new OwnServer({
      dataDirectory: data.postgres,
      record,
      onStep: (step) => onStep(serverName, step),
    });
    await keep(serverName, () => server.start());
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
    await keep(service.name, () => startProcess(service, program, record));
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
      await Promise.all(names.map(async (name) => await supervisors.get(name)?.stop()));
    }
    // Preparations under way still use PostgreSQL.
    await Promise.allSettled(begun);
    await supervisors.get(serverName)?.stop();
  };
  const tryOut = async (name: string): Promise<Trial> => {
    const service = serviceNamed(name, services);
    const running = await startProcess(service, await prepare(service, { isReset: false }), record);
    const kill = (): void => running.kill();
    stopping.signal.addEventListener('abort', kill);
    const letGo = (): void => stopping.signal.removeEventListener('abort', kill);
    if (stopping.signal.aborted) {
      kill();
    }
    const end = await Promise.race([running.ready, running.ended]);
    if (end !== undefined) {
      letGo();
      throw new StackError(`it ${end}`);
    }
    return {
      async promote() {
        stopping.signal.throwIfAborted();
        letGo();
        await supervisors.get(name)?.replace(running);
      },
      async end() {
        letGo();
        kill();
        await running.ended;
      },
    };
  };

  let stopped: Promise<void> | undefined;
  return {
    /** Resolves when everything is ready; rejects with the reason of a failure. */
    started,
    /**
     * Starts a service from its current files beside the running process, which continues. If they do not start, it
     * rejects with a StackError that has the reason, such as a place in the schema.
     */
    tryOut: (name: string): Promise<Trial> => begin(tryOut(name)),
    /**
     * Stops everything in order: callers before the services that they call, PostgreSQL last. Resolves when all have
     * ended.
     */
    stop: (): Promise<void> => (stopped ??= stop()),
    /** Kills everything at once. */
    kill(): void {
      stopping.abort();
      supervisors.forEach((supervisor) => supervisor.kill());
    },
  };
}
