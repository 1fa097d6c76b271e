import type { Composition, CompositionIssue } from '../composition.ts';

/** The output of a composition plugin for Rover (`apollo-federation-types`, `BuildResult`). */
export type BuildResult =
  | { readonly Ok: { readonly supergraphSdl: string; readonly hints: readonly BuildHint[] } }
  | { readonly Err: { readonly build_errors: readonly BuildError[] } };

interface BuildHint extends Pick<CompositionIssue, 'code' | 'message'> {
  readonly nodes: CompositionIssue['locations'];
}

interface BuildError extends BuildHint {
  /** `config` for a fault that prevents composition. */
  readonly type: 'composition' | 'config';
}

/** Converts a composition to the format that Rover expects of its plugin. */
export function buildResultOf({ supergraphSdl, hints, errors }: Composition): BuildResult {
  return errors === undefined
    ? { Ok: { supergraphSdl, hints: hints.map(hintOf) } }
    : { Err: { build_errors: errors.map((error) => ({ type: 'composition', ...hintOf(error) })) } };
}

/** The result for a configuration that the plugin cannot compose at all. */
export function configurationError(message: string): BuildResult {
  return { Err: { build_errors: [{ type: 'config', code: 'INVALID_CONFIGURATION', message, nodes: [] }] } };
}

function hintOf({ code, message, locations }: CompositionIssue): BuildHint {
  return { code, message, nodes: locations };
}
