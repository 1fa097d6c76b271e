// Parts that several views show.
import type { ArgumentData, MemberData, OperationData, PlaceData } from '../graph-data.ts';
import { addressOf } from './addresses.ts';
import type { Child } from './element.ts';
import { element } from './element.ts';
import type { Model } from './model.ts';
import { clientName, figure } from './format-values.ts';

export function link(address: string, ...children: readonly Child[]): HTMLElement {
  return element('a', { href: address }, ...children);
}

/** A type as it is written, with a link to it. */
export function typeLink({ typeByName }: Model, type: string | undefined, named: string | undefined): Child {
  if (type === undefined || named === undefined || !typeByName.has(named)) {
    return type;
  }
  const [before = '', after = ''] = type.split(named, 2);
  return [before, link(addressOf.type(named), named), after];
}

/** A subgraph with its colour, and a link to it. */
export function subgraphLink(model: Model, index: number): HTMLElement | undefined {
  const subgraph = model.subgraphs[index];
  return subgraph && link(addressOf.subgraph(subgraph.name), dot(model, subgraph.name), subgraph.name);
}

export function dot(model: Model, subgraph: string): Node {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const attributes = { class: 'dot', viewBox: '0 0 8 8', width: '8', height: '8', 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) {
    svg.setAttribute(name, value);
  }
  const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
  const parts = { cx: '4', cy: '4', r: '4', fill: `hsl(${model.hueOf(subgraph)} 60% 52%)` };
  for (const [name, value] of Object.entries(parts)) {
    circle.setAttribute(name, value);
  }
  svg.append(circle);
  return svg;
}

/** Names and values, as a list of definitions; those without a value are left out. */
export function facts(rows: readonly (readonly [string, Child])[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    rows.flatMap(([name, value]) =>
      isEmpty(value) ? [] : [element('dt', {}, name), element('dd', {}, value)],
    ),
  );
}

export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...children);
}

/** A table. A column of numbers is set right; one without any content is left out. */
export function table(heads: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  const columns = heads.flatMap((head, column) => {
    const cells = rows.map((row) => row[column]);
    const className = cells.every(isFigure) ? 'number' : undefined;
    return rows.length > 0 && cells.every(isEmpty) ? [] : [{ head, column, className }];
  });
  return element(
    'div',
    { class: 'table' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          columns.map(({ head, className }) => element('th', { class: className, scope: 'col' }, head)),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map((row) =>
          element(
            'tr',
            {},
            columns.map(({ column, className }) => element('td', { class: className }, row[column])),
          ),
        ),
      ),
    ),
  );
}

function isEmpty(child: Child): boolean {
  return (
    child === undefined || child === false || child === '' || (Array.isArray(child) && child.every(isEmpty))
  );
}

function isFigure(child: Child): boolean {
  return (
    typeof child === 'number' ||
    (typeof child === 'string' && /^(?:[\d,]+(?:\.\d+)?(?: ms|%)?|–)?$/u.test(child))
  );
}

/** A description, as text with its line breaks. */
export function prose(text: string | undefined): HTMLElement | undefined {
  return text === undefined ? undefined : element('p', { class: 'description' }, text);
}

export function deprecation(reason: string | undefined): HTMLElement | undefined {
  return reason === undefined
    ? undefined
    : element('p', { class: 'deprecated' }, element('strong', {}, 'Deprecated'), ` ${reason}`);
}

/** The owners of an element, and the places of its definitions. */
export function ownership(model: Model, places: readonly PlaceData[]): readonly (readonly [string, Child])[] {
  const owners = model.ownersOf(places);
  return [
    ['Owner', owners.length === 0 ? 'nobody in CODEOWNERS' : owners.join(', ')],
    [
      places.length === 1 ? 'Subgraph' : 'Subgraphs',
      places.map(({ subgraph, line }) => {
        const { file } = model.subgraphs[subgraph] ?? {};
        const place = file === undefined ? undefined : `${file}${line === undefined ? '' : `:${line}`}`;
        return element(
          'div',
          {},
          subgraphLink(model, subgraph),
          place !== undefined && element('code', { class: 'place' }, place),
        );
      }),
    ],
  ];
}

export function argumentList(model: Model, args: readonly ArgumentData[]): Child {
  return (
    args.length > 0 && [
      '(',
      args.map(({ name, type, named, fallback }, index) => [
        index > 0 && ', ',
        `${name}: `,
        typeLink(model, type, named),
        fallback !== undefined && ` = ${fallback}`,
      ]),
      ')',
    ]
  );
}

/** A field as it is written in a schema, with a link to it. */
export function signature(model: Model, type: string, member: MemberData): HTMLElement {
  const { name, args, type: written, named, deprecated } = member;
  return element(
    'code',
    { class: deprecated === undefined ? 'signature' : 'signature is-deprecated' },
    link(addressOf.field(type, name), name),
    argumentList(model, args),
    written !== undefined && [': ', typeLink(model, written, named)],
  );
}

function operationLink({ key, name }: OperationData): HTMLElement {
  return link(addressOf.operation(key), name === '' ? '(anonymous)' : name);
}

/** Operations with their clients, most used first. */
export function operationsTable(operations: readonly OperationData[]): HTMLElement {
  const isRecorded = operations.some((operation) => requestsOf(operation) > 0);
  return table(
    ['Operation', 'Clients', 'Requests', 'Cost', 'Fetches', 'Rounds'],
    operations
      .toSorted((one, other) => requestsOf(other) - requestsOf(one))
      .map((operation) => [
        operationLink(operation),
        [...new Set(operation.clients.map(({ name }) => clientName(name)))].join(', '),
        isRecorded && figure(requestsOf(operation)),
        figure(operation.cost),
        figure(operation.plan?.length),
        figure(operation.plan && roundsOf(operation.plan)),
      ]),
  );
}

function requestsOf({ clients }: OperationData): number {
  return clients.reduce((sum, { requests = 0 }) => sum + requests, 0);
}

export function roundsOf(plan: NonNullable<OperationData['plan']>): number {
  return Math.max(0, ...plan.map(({ round }) => round));
}
