import type { Change } from '../changes/change.ts';
import type { SubgraphSource } from '../changes/graph.ts';
import { changeOf } from '../changes/change.ts';

import type { LintFinding } from './linted-schema.ts';
import { readLintedSchemas } from './linted-schema.ts';
import type { LintRuleName } from './lint-rules.ts';
import { lintRules } from './lint-rules.ts';

/**
 * Finds what breaks a rule in the changed schemas and did not before: what is new, and what an edit made worse. A team
 * need not mend what it does not touch.
 */
export function lintChanges(
  before: readonly SubgraphSource[],
  after: readonly SubgraphSource[],
  rules: readonly LintRuleName[],
): readonly Change[] {
  if (rules.length === 0 || after.every((source, index) => source.sdl === before[index]?.sdl)) {
    return [];
  }
  const known = new Set(lintSources(before, rules).map(({ finding }) => keyOf(finding)));
  return lintSources(after, rules)
    .filter(({ finding }) => !known.has(keyOf(finding)))
    .map(({ subgraph, finding: { kind, coordinate } }) => changeOf(kind, coordinate, { subgraph }));
}

interface SubgraphFinding {
  readonly subgraph: string;
  readonly finding: LintFinding;
}

/** Every element of the subgraphs' schemas that breaks one of the rules, once for each. */
export function lintSources(
  sources: readonly SubgraphSource[],
  rules: readonly LintRuleName[],
): readonly SubgraphFinding[] {
  return readLintedSchemas(sources).flatMap((schema, index) => {
    const subgraph = sources[index]?.name ?? '';
    const found = rules.flatMap((rule) => lintRules[rule](schema));
    // A type and its extension are one element.
    const byKey = new Map(found.map((finding) => [keyOf(finding), finding]));
    return Array.from(byKey.values(), (finding) => ({ subgraph, finding }));
  });
}

function keyOf({ kind, coordinate }: LintFinding): string {
  return `${kind} ${coordinate}`;
}
