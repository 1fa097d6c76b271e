// Parts that several views show.
import type { ReactElement, ReactNode } from 'react';
import { Fragment } from 'react';

import { figure } from '../../format-values.ts';
import type { ArgumentData, MemberData, OperationData, PlaceData } from '../graph-data.ts';
import { addressOf, useModel } from './model.ts';

export function TypeLink({ name }: { readonly name: string }): ReactElement {
  return <a href={addressOf('type', name)}>{name}</a>;
}

export function FieldLink({ type, name }: { readonly type: string; readonly name: string }): ReactElement {
  return (
    <a href={addressOf('field', type, name)}>
      {type}.{name}
    </a>
  );
}

/** The type that is named in a reference: `Product` in `[Product!]!`. */
export function namedIn(reference: string): string {
  return /\w+/u.exec(reference)?.[0] ?? '';
}

/** A reference to a type as it is written, with a link. */
export function TypeReference({ text }: { readonly text: string }): ReactElement {
  const name = namedIn(text);
  const [before, after] = text.split(name, 2);
  return useModel().typeByName.has(name) ? (
    <>
      {before}
      <TypeLink name={name} />
      {after}
    </>
  ) : (
    <>{text}</>
  );
}

export function SubgraphDot({ name }: { readonly name: string }): ReactElement {
  return <span className="dot" style={{ background: useModel().colourOf(name) }} />;
}

/** A subgraph with its colour, and a link to it. */
export function SubgraphLink({ name }: { readonly name: string }): ReactElement {
  return (
    <a href={addressOf('subgraph', name)}>
      <SubgraphDot name={name} />
      {name}
    </a>
  );
}

/** Each of a list in a line of its own. */
export function Lines({
  of,
  as: As = 'div',
}: {
  readonly of: readonly string[];
  readonly as?: 'div' | 'code';
}) {
  return of.map((line) => <div key={line}>{As === 'code' ? <code>{line}</code> : line}</div>);
}

/** Names and values; those without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }): ReactElement {
  return (
    <dl className="facts">
      {rows.map(
        ([name, value]) =>
          !isEmpty(value) && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function Section(props: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section>
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** A table. A column of numbers is set right; one without any content is left out. */
export function Table(props: {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}): ReactElement {
  const { heads, rows } = props;
  const columns = heads.flatMap((head, column) => {
    const cells = rows.map((row) => row[column]);
    const className = cells.every(isFigure) ? 'number' : undefined;
    return rows.length > 0 && cells.every(isEmpty) ? [] : [{ head, column, className }];
  });
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            {columns.map(({ head, className }) => (
              <th key={head} className={className} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ head, column, className }) => (
                <td key={head} className={className}>
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isEmpty(node: ReactNode): boolean {
  return node === undefined || node === false || node === '' || (Array.isArray(node) && node.every(isEmpty));
}

function isFigure(node: ReactNode): boolean {
  return typeof node === 'string' && /^(?:[\d,]+(?:\.\d+)?(?: ms|%)?|–)?$/u.test(node);
}

/** The owners of an element, and the places of its definitions. */
export function useOwnership(places: readonly PlaceData[]): readonly (readonly [string, ReactNode])[] {
  const { ownersOf, subgraphs } = useModel();
  return [
    ['Owner', ownersOf(places).join(', ') || 'nobody in CODEOWNERS'],
    [
      places.length === 1 ? 'Subgraph' : 'Subgraphs',
      places.map(({ subgraph, line }) => {
        const { name = '', file } = subgraphs[subgraph] ?? {};
        return (
          <div key={name}>
            <SubgraphLink name={name} />
            {file !== undefined && (
              <code className="place">
                {file}
                {line !== undefined && `:${line}`}
              </code>
            )}
          </div>
        );
      }),
    ],
  ];
}

function Arguments({ list }: { readonly list: readonly ArgumentData[] }): ReactNode {
  return list.map(({ name, type, fallback }, index) => (
    <Fragment key={name}>
      {index === 0 ? '(' : ', '}
      {name}: <TypeReference text={type} />
      {fallback !== undefined && ` = ${fallback}`}
      {index === list.length - 1 && ')'}
    </Fragment>
  ));
}

/** A field as it is written in a schema; `of` names the type where the field is linked. */
export function Signature(props: { readonly member: MemberData; readonly of?: string }): ReactElement {
  const { of: type, member } = props;
  const { name, args = [], type: written, deprecated } = member;
  return (
    <code
      className={type === undefined || deprecated === undefined ? 'signature' : 'signature is-deprecated'}
    >
      {type === undefined ? name : <a href={addressOf('field', type, name)}>{name}</a>}
      <Arguments list={args} />
      {written !== undefined && (
        <>
          : <TypeReference text={written} />
        </>
      )}
    </code>
  );
}

export function nameOf({ name }: { readonly name: string }): string {
  return name === '' ? '(anonymous)' : name;
}

/** The names of the clients of an operation. */
export function clientsOf({ clients }: OperationData): string {
  return [...new Set(clients.map(({ name }) => clientName(name)))].join(', ');
}

export function clientName(name: string): string {
  return name === '' ? '(unnamed client)' : name;
}

/** Operations with their clients, most used first. */
export function OperationsTable({
  operations,
}: {
  readonly operations: readonly OperationData[];
}): ReactElement {
  const isRecorded = operations.some((operation) => requestsOf(operation) > 0);
  return (
    <Table
      heads={['Operation', 'Clients', 'Requests', 'Cost', 'Fetches', 'Rounds']}
      rows={operations
        .toSorted((one, other) => requestsOf(other) - requestsOf(one))
        .map((operation) => [
          <a key="name" href={addressOf('operation', operation.key)}>
            {nameOf(operation)}
          </a>,
          clientsOf(operation),
          isRecorded && figure(requestsOf(operation)),
          figure(operation.cost),
          figure(operation.plan?.length),
          figure(operation.plan && roundsOf(operation.plan)),
        ])}
    />
  );
}

function requestsOf({ clients }: OperationData): number {
  return clients.reduce((sum, { requests = 0 }) => sum + requests, 0);
}

export function roundsOf(plan: NonNullable<OperationData['plan']>): number {
  return Math.max(0, ...plan.map(({ round }) => round));
}
