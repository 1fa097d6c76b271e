import type { Health } from '@meridian/local-stack';

/** The health of the run's services, for waiting. */
export interface HealthWatch {
  onHealth(service: string, health: Health): void;
  /**
   * Waits until the service next has this health.
   *
   * @throws {Error} if that takes over a minute
   */
  next<Is extends Health['is']>(service: string, is: Is): Promise<Extract<Health, { readonly is: Is }>>;
}

const timeoutMs = 60_000;

export function createHealthWatch(): HealthWatch {
  const waiting = new Set<(service: string, health: Health) => void>();
  return {
    onHealth(service, health) {
      for (const listener of waiting) {
        listener(service, health);
      }
    },
    next<Is extends Health['is']>(service: string, is: Is) {
      type Wanted = Extract<Health, { readonly is: Is }>;
      const isWanted = (health: Health): health is Wanted => health.is === is;
      return new Promise<Wanted>((resolve, reject) => {
        const timeout = setTimeout(() => {
          waiting.delete(listener);
          reject(new Error(`${service} is not ${is} within ${timeoutMs / 1000} s`));
        }, timeoutMs);
        const listener = (name: string, health: Health): void => {
          if (name === service && isWanted(health)) {
            clearTimeout(timeout);
            waiting.delete(listener);
            resolve(health);
          }
        };
        waiting.add(listener);
      });
    },
  };
}
