import { elementsOf } from '@meridian/composition/sdl/elements';
import type { Supergraph } from '@meridian/executor';
import type { OperationFacts } from '../changes/impact/operation-facts.ts';
import { print } from 'graphql';

/**
 * The part of a supergraph that the plan and the figures of an operation depend on, as text: where it is equal in two
 * supergraphs, so are they. That is the heads of the types that the operation meets, with their keys, and of those that
 * implement them; the fields that it selects; the enums and input objects that it sends; and the fields that a key, a
 * `@requires` or a `@provides` names anywhere.
 */
export type PlanScope = (facts: OperationFacts) => string;

export function createPlanScope({ document }: Supergraph): PlanScope {
  const texts = new Map<string, string>();
  const implementors = new Map<string, string[]>();
  const required = new Map<string, string[]>();
  const requiredNames = namesInFieldSets(document);
  for (const { coordinate, parent, node } of elementsOf(document)) {
    if (parent === undefined) {
      const hasHead = 'interfaces' in node;
      const text = print(hasHead ? { ...node, fields: [] } : node);
      texts.set(coordinate, text);
      for (const { name } of hasHead ? (node.interfaces ?? []) : []) {
        implementors.set(name.value, [...(implementors.get(name.value) ?? []), text]);
      }
      continue;
    }
    const text = print(node);
    texts.set(coordinate, text);
    if (!parent.includes('.') && requiredNames.has(coordinate.slice(parent.length + 1))) {
      required.set(parent, [...(required.get(parent) ?? []), text]);
    }
  }
  const shared = [texts.get('schema'), ...Array.from(required.values(), (ofType) => ofType.join('\n'))];
  const sharedText = shared.join('\n');
  return ({ resolvedFields, types, variableTypes }) =>
    [
      sharedText,
      ...[...types].toSorted().flatMap((name) => [texts.get(name)].concat(implementors.get(name) ?? [])),
      ...[...resolvedFields].toSorted().map((name) => texts.get(name)),
      ...[...variableTypes].toSorted().map((name) => texts.get(name)),
    ].join('\n');
}

/** Every name in a field set of a supergraph, whatever type it is of. */
function namesInFieldSets(document: Supergraph['document']): ReadonlySet<string> {
  const fieldSets = elementsOf(document)
    .flatMap(({ directives }) => directives)
    .filter(({ name }) => name.value === 'join__type' || name.value === 'join__field')
    .flatMap(({ arguments: nodes = [] }) => nodes)
    .filter(({ name }) => name.value !== 'graph' && name.value !== 'type');
  return new Set(fieldSets.flatMap(({ value }) => print(value).match(/[A-Za-z_]\w*/gu) ?? []));
}
