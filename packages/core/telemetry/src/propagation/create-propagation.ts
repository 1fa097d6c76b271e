import type { Propagation, PropagationOptions } from './propagation.ts';

/** Creates it from OpenTelemetry's propagators, of which those are loaded that are used. */
export async function createPropagation(options: PropagationOptions): Promise<Propagation> {
  const { openPropagation } = await import('./open-propagation.ts');
  return openPropagation(options);
}
