import { addressOf } from '../addresses.ts';
import type { Child } from '../element.ts';
import { element } from '../element.ts';
import type { Member, Model } from '../model.ts';
import {
  argumentList,
  deprecation,
  facts,
  link,
  operationsTable,
  ownership,
  prose,
  section,
  table,
  typeLink,
} from '../view-parts.ts';
import { count } from '../format-values.ts';
import { clientsTable, usageChart } from '../usage-chart.ts';

export function fieldView(model: Model, { type, member }: Member): Child {
  const {
    name,
    args,
    type: written,
    named,
    description,
    deprecated,
    places,
    cost,
    cache,
    requires,
    notes,
  } = member;
  const operations = member.operations.flatMap((index) => model.operations[index] ?? []);
  return [
    element(
      'p',
      { class: 'kind' },
      type.kind === 'enum' ? 'value of ' : 'field of ',
      link(addressOf.type(type.name), type.name),
    ),
    element('h1', { tabindex: -1, class: 'coordinate' }, `${type.name}.${name}`),
    written !== undefined &&
      element(
        'p',
        {},
        element(
          'code',
          { class: 'signature' },
          name,
          argumentList(model, args),
          ': ',
          typeLink(model, written, named),
        ),
      ),
    deprecation(deprecated),
    prose(description),
    facts([
      ...ownership(model, places),
      ['Needs', requires],
      ['Cost', cost === undefined ? undefined : String(cost)],
      ['Cache hint', cache],
      ['Federation', notes.map((note) => element('div', {}, element('code', {}, note)))],
    ]),
    args.some((one) => one.description !== undefined || one.deprecated !== undefined) &&
      section(
        'Arguments',
        table(
          ['Argument', 'Type', 'Description'],
          args.map((one) => [
            element('code', {}, one.name),
            element(
              'code',
              {},
              typeLink(model, one.type, one.named),
              one.fallback !== undefined && ` = ${one.fallback}`,
            ),
            [one.deprecated !== undefined && `Deprecated. ${one.deprecated} `, one.description],
          ]),
        ),
      ),
    operations.length === 0
      ? section(
          'Use',
          element(
            'p',
            { class: 'quiet' },
            `No operation of the manifests or of recorded usage uses it (${model.usage.reason}).`,
          ),
        )
      : [
          section('Clients', usageChart(operations, model.usage.days), clientsTable(operations)),
          section(count(operations.length, 'operation'), operationsTable(operations)),
        ],
  ];
}
