import type { MemberData, TypeData } from '../../graph-data.ts';
import { addressOf } from '../addresses.ts';
import type { Child } from '../element.ts';
import { element } from '../element.ts';
import type { Model } from '../model.ts';
import { dot, facts, link, ownership, prose, section, signature, table } from '../view-parts.ts';
import { count, figure } from '../format-values.ts';

const relations = {
  type: 'Implements',
  interface: 'Implemented by',
  union: 'Members',
  enum: '',
  input: '',
  scalar: '',
} as const;

export function typeView(model: Model, type: TypeData): Child {
  const { name, kind, description, places, keys, related, members } = type;
  const usedFrom = model.types.flatMap((other) =>
    other.members.some(({ named, args }) => named === name || args.some((one) => one.named === name))
      ? other.name
      : [],
  );
  return [
    element('p', { class: 'kind' }, kind),
    element('h1', { tabindex: -1 }, name),
    prose(description),
    facts([
      ...ownership(model, places),
      [keys.length === 1 ? 'Key' : 'Keys', keys.map((key) => element('div', {}, element('code', {}, key)))],
      [relations[kind], typeLinks(related)],
      ['Used by', typeLinks(usedFrom)],
    ]),
    members.length > 0 &&
      section(
        kind === 'enum' ? count(members.length, 'value') : count(members.length, 'field'),
        table(
          [kind === 'enum' ? 'Value' : 'Field', 'In', 'Needs', 'Cost', 'Cache', 'Operations'],
          members.map((member) => [
            [signature(model, name, member), summary(member)],
            member.places.map(({ subgraph }) => subgraphDot(model, subgraph)),
            member.requires,
            member.cost === undefined ? '' : figure(member.cost),
            member.cache,
            figure(member.operations.length),
          ]),
        ),
      ),
  ];
}

function typeLinks(names: readonly string[]): Child {
  return names.map((name, index) => [index > 0 && ', ', link(addressOf.type(name), name)]);
}

function subgraphDot(model: Model, index: number): Child {
  const name = model.subgraphs[index]?.name;
  return name === undefined ? undefined : element('span', { class: 'in' }, dot(model, name), name);
}

/** The first line of a description, or that it is deprecated. */
function summary({ description, deprecated }: MemberData): Child {
  const text = deprecated === undefined ? description?.split('\n', 1)[0] : `Deprecated. ${deprecated}`;
  return text !== undefined && element('p', { class: 'summary' }, text);
}
