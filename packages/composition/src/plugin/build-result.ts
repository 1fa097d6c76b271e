import type { Composition, CompositionIssue, SchemaPoint } from '../composition.ts';

/** The output of a composition plugin for Rover (`apollo-federation-types`, `BuildResult`). */
export type BuildResult = { readonly Ok: BuildOutput } | { readonly Err: BuildErrors };

interface BuildOutput {
  readonly supergraphSdl: string;
  readonly hints: readonly BuildHint[];
}

interface BuildErrors {
  readonly build_errors: readonly BuildError[];
}

interface BuildHint {
  readonly code: string;
  readonly message: string;
  readonly nodes: readonly BuildNode[];
}

interface BuildError extends BuildHint {
  /** `config` for a fault that prevents composition. */
  readonly type: 'composition' | 'config';
}

interface BuildNode {
  readonly subgraph: string;
  readonly start: SchemaPoint;
  readonly end: SchemaPoint;
}

/** Converts a composition to the format that Rover expects of its plugin. */
export function buildResultOf(composition: Composition): BuildResult {
  const { supergraphSdl, hints, errors } = composition;
  if (errors !== undefined) {
    return { Err: { build_errors: errors.map(buildErrorOf) } };
  }
  return { Ok: { supergraphSdl, hints: hints.map(buildHintOf) } };
}

/** The result for a configuration that the plugin cannot compose at all. */
export function configurationError(message: string): BuildResult {
  return { Err: { build_errors: [{ type: 'config', code: 'INVALID_CONFIGURATION', message, nodes: [] }] } };
}

function buildErrorOf({ code, message, locations }: CompositionIssue): BuildError {
  return { type: 'composition', code, message, nodes: locations };
}

function buildHintOf({ code, message, locations }: CompositionIssue): BuildHint {
  return { code, message, nodes: locations };
}
