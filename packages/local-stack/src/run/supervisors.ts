import { supervise } from './supervise.ts';
import type { Health, Running, Supervisor } from './supervise.ts';

/** The supervised processes, by name. */
export interface Supervisors {
  /** Starts to supervise a process; resolves when it is ready for the first time, rejects if that fails. */
  keep(name: string, start: () => Promise<Running>): Promise<void>;
  /** Restarts one at once. */
  restart(name: string): Promise<void>;
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
    async restart(name) {
      await supervisors.get(name)?.restart();
    },
    async stop(names) {
      await Promise.all(names.map(async (name) => await supervisors.get(name)?.stop()));
    },
    kill() {
      supervisors.forEach((supervisor) => supervisor.kill());
    },
  };
}
