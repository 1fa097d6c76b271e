import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { entityFields } from './entity-document.ts';
import type { FetchStep } from './plan.ts';
import { withFields } from './with-fields.ts';

/**
 * Splits a fetch of entities that waits for the inputs of some of its fields: into the fields that are ready without
 * these inputs, and the rest. Undefined where no field is ready.
 */
export function splitReady(
  fetch: FetchStep,
  isReady: (part: FetchStep) => boolean,
  supergraph: Supergraph,
): readonly [FetchStep, FetchStep] | undefined {
  const part = (isKept: (key: string) => boolean): FetchStep =>
    withFields(fetch, ({ key }) => isKept(key), supergraph);
  const keys = new Set(entityFields(fetch.document).map(({ key }) => key));
  const ready = new Set([...keys].filter((key) => isReady(part((other) => other === key))));
  return ready.size === 0 || ready.size === keys.size
    ? undefined
    : [part((key) => ready.has(key)), part((key) => !ready.has(key))];
}
