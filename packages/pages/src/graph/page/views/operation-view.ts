import { drawPlan } from '../../../plan/draw-plan.ts';

import type { FetchData, OperationData } from '../../graph-data.ts';
import { addressOf } from '../addresses.ts';
import type { Child } from '../element.ts';
import { drawing, element } from '../element.ts';
import type { Model } from '../model.ts';
import { facts, link, roundsOf, section } from '../view-parts.ts';
import { clientName, count, figure } from '../format-values.ts';
import { clientsTable, usageChart } from '../usage-chart.ts';

export function operationView(model: Model, operation: OperationData): Child {
  const { name, kind, text, identifiers, cost, maxCost, cache, requires, plan, movedPlan } = operation;
  const used = model.usedBy(model.operations.indexOf(operation));
  return [
    element('p', { class: 'kind' }, kind),
    element('h1', { tabindex: -1 }, name === '' ? '(anonymous)' : name),
    facts([
      ['Clients', [...new Set(operation.clients.map((client) => clientName(client.name)))].join(', ')],
      [
        'Cost',
        cost !== undefined && [
          figure(cost),
          maxCost !== undefined && element('span', { class: 'quiet' }, ` of ${figure(maxCost)}`),
        ],
      ],
      ['Cache', cache ?? 'not cacheable'],
      ['Needs', requires.map((one) => element('div', {}, one))],
      [
        identifiers.length === 1 ? 'Identifier' : 'Identifiers',
        identifiers.map((id) => element('div', {}, element('code', { class: 'place' }, id))),
      ],
    ]),
    section(
      'Plan',
      plan === undefined
        ? element(
            'p',
            { class: 'quiet' },
            'It cannot be planned: only its fields were recorded, or the graph does not resolve it.',
          )
        : planDrawing(model, plan),
      movedPlan !== undefined && [
        element('p', {}, 'For requests that a progressive override moves:'),
        planDrawing(model, movedPlan),
      ],
    ),
    section('Clients', usageChart([operation], model.usage.days), clientsTable([operation])),
    text !== undefined && section('Text', element('pre', { tabindex: 0 }, element('code', {}, text))),
    used.length > 0 &&
      section(
        `Uses ${count(used.length, 'field')}`,
        element(
          'ul',
          { class: 'columns' },
          used.map(({ type, member }) =>
            element('li', {}, link(addressOf.field(type.name, member.name), `${type.name}.${member.name}`)),
          ),
        ),
      ),
  ];
}

function planDrawing(model: Model, plan: readonly FetchData[]): Child {
  return [
    element(
      'p',
      { class: 'quiet' },
      `${count(plan.length, 'fetch', 'fetches')} in ${count(roundsOf(plan), 'round')}. A line leads to a fetch from those that it waits for.`,
    ),
    element(
      'div',
      { class: 'drawing', tabindex: 0, role: 'group', 'aria-label': 'The plan, drawn' },
      drawing(drawPlan(plan, { hueOf: model.hueOf })),
    ),
  ];
}
