import { supervise } from './supervise.ts';
import type { Health, Running, Supervisor } from './supervise.ts';

/** The supervised processes, by name. */
export interface Supervisors {
  /** Starts to supervise a process; resolves when it is ready for the first time, rejects if that fails. */
  keep(name: string, start: () => Promise<Running>): Promise<void>;
  /** Continues with a process that is ready already; resolves when the previous one has ended. */
  replace(name: string, successor: Running): Promise<void>;
  /** Stops the named processes, in parallel. Resolves when all have ended. */
  stop(names: readonly string[]): Promise<void>;
  /** Kills everything at once. */
  kill(): void;
}

export interface SupervisorsOptions {
  readonly onHealth: (name: string, health: Health) => void;
  /** Creates the error of a first start that ended like this. */
  readonly failure: (name: string, how: string) => Error;
}

/** Starts without any. */
export function createSupervisors({ onHealth, failure }: SupervisorsOptions): Supervisors {
  const supervisors = new Map<string, Supervisor>();
  return {
    async keep(name, start) {
      const supervisor = supervise({
        start,
        onHealth: (health) => onHealth(name, health),
        failure: (how) => failure(name, how),
      });
      supervisors.set(name, supervisor);
      await supervisor.started;
    },
    async replace(name, successor) {
      await supervisors.get(name)?.replace(successor);
    },
    async stop(names) {
      await Promise.all(names.map(async (name) => await supervisors.get(name)?.stop()));
    },
    kill() {
      supervisors.forEach((supervisor) => supervisor.kill());
    },
  };
}
