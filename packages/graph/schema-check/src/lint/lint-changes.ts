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
  const known = new Set(lintSources(before, rules).map(keyOf));
  return lintSources(after, rules)
    .filter((finding) => !known.has(keyOf(finding)))
    .map(({ subgraph, kind, coordinate }) => changeOf(kind, coordinate, { subgraph }));
}

/** An element that breaks a rule. */
interface LintFinding {
  readonly subgraph: string;
  readonly kind: ChangeKind;
  readonly coordinate: string;
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
          const finding = { subgraph, kind, coordinate: element.coordinate };
          found.set(`${subgraph} ${keyOf(finding)}`, finding);
        }
      }
    }
  }
  return [...found.values()];
}

function keyOf({ kind, coordinate }: Pick<LintFinding, 'kind' | 'coordinate'>): string {
  return `${kind} ${coordinate}`;
}
