import { supervise } from './supervise.ts';
import type { Health, Running, Supervisor } from './supervise.ts';

/** Everything that is kept running, by name. */
export interface Supervisors {
  /** Begins to keep something running; settles when it is ready for the first time, rejects when it cannot be. */
  keep(name: string, start: () => Promise<Running>): Promise<void>;
  /** Stops one that runs and starts it again, at once. */
  restart(name: string): Promise<void>;
  /** Stops what there is of these, side by side. Settles when all have ended. */
  stop(names: readonly string[]): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

export interface SupervisorsOptions {
  readonly onHealth: (name: string, health: Health) => void;
  /** Makes the error of a first start that ended like this. */
  readonly failure: (name: string, how: string) => Error;
}

/** Begins with none. */
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
