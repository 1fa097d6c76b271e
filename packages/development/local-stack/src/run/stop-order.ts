import type { Service } from '../apps/services.ts';

/** The names of services in the order of a stop, group by group: a service stops after all its callers. */
export function inStopOrder(services: readonly Service[]): string[][] {
  if (services.length === 0) {
    return [];
  }
  const called = new Set(services.flatMap(({ calls }) => calls));
  const uncalled = services.filter(({ name }) => !called.has(name));
  if (uncalled.length === 0) {
    throw new Error('Services call each other in a circle');
  }
  return [uncalled.map(({ name }) => name), ...inStopOrder(services.filter(({ name }) => called.has(name)))];
}
