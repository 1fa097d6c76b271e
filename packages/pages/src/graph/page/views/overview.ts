import { addressOf } from '../addresses.ts';
import type { Child } from '../element.ts';
import { element } from '../element.ts';
import type { Model } from '../model.ts';
import { link, operationsTable, section, subgraphLink, table } from '../view-parts.ts';
import { count, figure } from '../format-values.ts';
import { clientsTable, usageChart } from '../usage-chart.ts';

/** As many operations and deprecated elements as the overview lists; the search has all. */
const maxRows = 50;

export function overview(model: Model): Child {
  const { subgraphs, types, operations, usage } = model;
  const members = types.reduce((sum, type) => sum + type.members.length, 0);
  const deprecated = types.flatMap(({ name: type, members: ofType }) =>
    ofType.filter((member) => member.deprecated !== undefined).map((member) => ({ type, member })),
  );
  return [
    element('h1', { tabindex: -1 }, 'The graph'),
    element(
      'p',
      { class: 'lead' },
      `${count(types.length, 'type')} and ${count(members, 'field')} of ${count(subgraphs.length, 'subgraph')}; ${count(operations.length, 'operation')}. Use is known from the manifests${usage.reason === 'no usage is at hand' ? '' : ` and from records: ${usage.reason}`}.`,
    ),
    section(
      'Subgraphs',
      table(
        ['Subgraph', 'Owner', 'Schema', 'Types', 'Fields'],
        subgraphs.map(({ owners, file, url }, index) => [
          subgraphLink(model, index),
          owners.join(', ') || '–',
          element('code', { class: 'place' }, file ?? url),
          figure(types.filter(({ places }) => places.some(({ subgraph }) => subgraph === index)).length),
          figure(
            types.reduce(
              (sum, type) =>
                sum +
                type.members.filter(({ places }) => places.some(({ subgraph }) => subgraph === index)).length,
              0,
            ),
          ),
        ]),
      ),
    ),
    operations.length > 0 && [
      section('Clients', usageChart(operations, usage.days), clientsTable(operations)),
      section(
        'Operations',
        operationsTable(operations.slice(0, maxRows)),
        operations.length > maxRows && more(operations.length - maxRows),
      ),
    ],
    deprecated.length > 0 &&
      section(
        'Deprecated',
        table(
          ['Element', 'Reason', 'Operations'],
          deprecated
            .slice(0, maxRows)
            .map(({ type, member }) => [
              link(addressOf.field(type, member.name), `${type}.${member.name}`),
              member.deprecated,
              figure(member.operations.length),
            ]),
        ),
        deprecated.length > maxRows && more(deprecated.length - maxRows),
      ),
  ];
}

function more(amount: number): HTMLElement {
  return element('p', { class: 'quiet' }, `And ${figure(amount)} more, which the search finds.`);
}
