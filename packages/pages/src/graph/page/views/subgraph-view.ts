import type { SubgraphData } from '../../graph-data.ts';
import { addressOf } from '../addresses.ts';
import type { Child } from '../element.ts';
import { element } from '../element.ts';
import type { Model } from '../model.ts';
import { dot, facts, link, section, table } from '../view-parts.ts';
import { figure } from '../format-values.ts';

export function subgraphView(model: Model, subgraph: SubgraphData): Child {
  const { name, url, file, owners } = subgraph;
  const index = model.subgraphs.indexOf(subgraph);
  const isHere = ({ places }: { places: readonly { subgraph: number }[] }): boolean =>
    places.some((place) => place.subgraph === index);
  const types = model.types.filter(isHere);
  return [
    element('p', { class: 'kind' }, 'subgraph'),
    element('h1', { tabindex: -1 }, dot(model, name), name),
    facts([
      ['Owner', owners.join(', ') || 'nobody in CODEOWNERS'],
      ['Schema', file !== undefined && element('code', { class: 'place' }, file)],
      ['Address', element('code', { class: 'place' }, url)],
    ]),
    section(
      'Types',
      table(
        ['Type', 'Kind', 'Fields here', 'Shared with'],
        types.map(({ name: type, kind, members, places }) => [
          link(addressOf.type(type), type),
          kind,
          figure(members.filter(isHere).length),
          places
            .filter((place) => place.subgraph !== index)
            .map((place) => model.subgraphs[place.subgraph]?.name ?? '')
            .join(', '),
        ]),
      ),
    ),
  ];
}
