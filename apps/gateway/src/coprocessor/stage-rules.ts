import type { RequestFacts } from '../selectors/request-facts.ts';

/** True for a stage that its section names: as in Apollo Router, one that asks for nothing is never called. */
export function isConfigured(stage: Readonly<Record<string, unknown>>): boolean {
  return Object.values(stage).some((value) => value !== false && value !== undefined);
}

/** Facts of a request with those that the message of a stage knows better. */
export function overlaid(facts: RequestFacts, known: Partial<RequestFacts>): RequestFacts {
  return new Proxy(facts, {
    get: (target, name) => Reflect.get(Object.hasOwn(known, name) ? known : target, name) as unknown,
  });
}
