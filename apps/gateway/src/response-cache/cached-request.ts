import type { JsonRange } from '@meridian/executor';
import { jsonItems, jsonMembers, stringAt, wholeOf } from '@meridian/executor';

import { representationsName } from './cached-query.ts';

/** A request to a subgraph, in its parts. Their texts are kept as they are: digits stay exact. */
export interface RequestParts {
  readonly query: string;
  readonly operationName: string | undefined;
  /** All but the query and the representations. */
  readonly rest: string;
  /** Undefined for a request without. */
  readonly representations: readonly string[] | undefined;
  /** Undefined for none. */
  readonly variablesText: string | undefined;
  /** The request with other representations. */
  readonly withRepresentations: (others: readonly string[]) => string;
}

/** Undefined for another body than a GraphQL request. */
export function readParts(body: string): RequestParts | undefined {
  const bytes = Buffer.from(body);
  const textOf = ({ start, end }: JsonRange): string => bytes.toString('utf8', start, end);
  const members = jsonMembers(bytes, wholeOf(bytes));
  const query = stringAt(bytes, members?.get('query'));
  if (members === undefined || query === undefined) {
    return undefined;
  }
  const variables = members.get('variables');
  const ofVariables = variables && jsonMembers(bytes, variables);
  const range = ofVariables?.get(representationsName);
  const items = range && jsonItems(bytes, range);
  const rest: string[] = [];
  for (const [name, member] of members) {
    if (name !== 'query' && name !== 'variables') {
      rest.push(JSON.stringify(name), textOf(member));
    }
  }
  if (variables !== undefined && ofVariables === undefined) {
    rest.push(textOf(variables));
  }
  for (const [name, member] of ofVariables ?? []) {
    if (name !== representationsName || items === undefined) {
      rest.push(JSON.stringify(`$${name}`), textOf(member));
    }
  }
  return {
    query,
    operationName: stringAt(bytes, members.get('operationName')),
    rest: rest.join('\n'),
    representations: items?.map(textOf),
    variablesText: variables && textOf(variables),
    withRepresentations: (others) =>
      range === undefined
        ? body
        : `${bytes.toString('utf8', 0, range.start)}[${others.join(',')}]${bytes.toString('utf8', range.end)}`,
  };
}
