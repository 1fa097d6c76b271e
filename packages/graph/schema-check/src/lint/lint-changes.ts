import { supergraphCoordinate } from '@meridian/composition/sdl/elements';

import type { Change } from '../changes/change.ts';
import { changeOf } from '../changes/change.ts';
import type { SubgraphSource } from '../changes/graph.ts';
import type { ChangeKind } from '../changes/kinds.ts';
import type { LintRuleName } from './lint-rules.ts';
import { lintRules } from './lint-rules.ts';
import { readLintedSchemas } from './linted-schema.ts';

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
  const known = new Set(lintSources(before, rules).map(({ key }) => key));
  return lintSources(after, rules)
    .filter(({ key }) => !known.has(key))
    .map(({ subgraph, kind, coordinate }) => changeOf(kind, coordinate, { subgraph }));
}

/** An element that breaks a rule. */
interface LintFinding {
  readonly subgraph: string;
  readonly kind: ChangeKind;
  readonly coordinate: string;
  /** Equal for one element of several subgraphs, and for a root type of several names. */
  readonly key: string;
}

/** Every element of the subgraphs' schemas that breaks one of the rules, once for each. */
export function lintSources(
  sources: readonly SubgraphSource[],
  rules: readonly LintRuleName[],
): readonly LintFinding[] {
  // A type and its extension are one element.
  const found = new Map<string, LintFinding>();
  for (const [index, schema] of readLintedSchemas(sources).entries()) {
    const subgraph = sources[index]?.name ?? '';
    for (const rule of rules) {
      for (const element of schema.elements) {
        const kind = lintRules[rule](element, schema);
        if (kind !== undefined) {
          const { coordinate } = element;
          const key = `${kind} ${supergraphCoordinate(coordinate, schema.rootTypes)}`;
          found.set(`${subgraph} ${key}`, { subgraph, kind, coordinate, key });
        }
      }
    }
  }
  return [...found.values()];
}
