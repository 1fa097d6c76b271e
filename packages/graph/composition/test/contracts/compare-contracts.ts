// Contracts of generated subgraphs, by our rules over the supergraph and by another project's over the subgraphs.
import { apiSchemaOf, composeSupergraph } from '@meridian/composition';
import type { SubgraphSchema } from '@meridian/composition';
import type { Random } from '@meridian/testing';
import { createRandom } from '@meridian/testing';
import { composeSchemaContract } from '@theguild/federation-composition';
import { buildSchema, isInterfaceType, lexicographicSortSchema, parse, printSchema } from 'graphql';

import { composeContract } from '../../src/contracts/compose-contract.ts';

const tags = ['one', 'two', 'three', 'four'];
const filtersPerGraph = 10;

export interface Comparison {
  /** Contracts that both refuse. */
  refused: number;
  /** Contracts that both make. */
  made: number;
  /**
   * Contracts that cannot be compared: the other project crashes, or shows an interface without any of its types. Apollo
   * asks that the fields which return that are hidden too (GraphOS, "Contract reference"): ours hides it.
   */
  apart: number;
  readonly differences: string[];
}

export function compareContracts(seed: string, cases: number): Comparison {
  const comparison: Comparison = { refused: 0, made: 0, apart: 0, differences: [] };
  for (let graph = 0; graph * filtersPerGraph < cases; graph += 1) {
    const random = createRandom(`${seed}/${graph}`);
    const subgraphs = generateSubgraphs(random);
    const { supergraphSdl, errors } = composeSupergraph(subgraphs);
    if (supergraphSdl === undefined) {
      throw new Error(`The generated subgraphs do not compose: ${JSON.stringify(errors)}`);
    }
    for (let index = 0; index < filtersPerGraph; index += 1) {
      compare(subgraphs, supergraphSdl, random, comparison);
    }
  }
  return comparison;
}

function compare(
  subgraphs: readonly SubgraphSchema[],
  supergraphSdl: string,
  random: Random,
  comparison: Comparison,
): void {
  const include = random.chance(0.5) ? new Set(['base', ...random.some(tags, 0.5)]) : new Set<string>();
  const exclude = new Set(
    include.size === 0 || random.chance(0.5) ? random.some(tags, 0.2).filter((tag) => !include.has(tag)) : [],
  );
  // With included tags, Apollo keeps an unreachable type that has one of them; the other project does not.
  const hidesUnreachable = include.size === 0 && random.chance(0.7);
  const ours = composeContract(supergraphSdl, { include, exclude, hidesUnreachable });
  const ourText = ours.supergraphSdl && clientsSee(ours.supergraphSdl);
  const theirText = theirContract(subgraphs, { include, exclude }, hidesUnreachable);
  if (ourText === theirText) {
    comparison[ourText === undefined ? 'refused' : 'made'] += 1;
    return;
  }
  if (theirText === 'crashed' || (theirText !== undefined && hasBareInterface(theirText))) {
    comparison.apart += 1;
    return;
  }
  const filter = `include ${[...include].join()} exclude ${[...exclude].join()} unreachable ${String(hidesUnreachable)}`;
  const faults = JSON.stringify(ours.errors);
  comparison.differences.push(
    [filter, ...subgraphs.map(({ sdl }) => sdl), faults, ourText, theirText].join('\n─\n'),
  );
}

function clientsSee(supergraphSdl: string): string {
  return printSchema(lexicographicSortSchema(apiSchemaOf(supergraphSdl)));
}

/** The API schema by the other project; undefined where it refuses, or makes a supergraph that has none. */
function theirContract(
  subgraphs: readonly SubgraphSchema[],
  filter: { readonly include: Set<string>; readonly exclude: Set<string> },
  hidesUnreachable: boolean,
): string | undefined {
  const services = subgraphs.map(({ name, routingUrl: url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));
  let supergraphSdl: string | undefined;
  try {
    ({ supergraphSdl } = composeSchemaContract(services, filter, hidesUnreachable));
  } catch (error) {
    // Where a union loses one of its types, it looks for unreachable types in a schema that it cannot build.
    return String(error).includes('Unknown type') ? 'crashed' : undefined;
  }
  try {
    return supergraphSdl && clientsSee(supergraphSdl);
  } catch {
    return undefined;
  }
}

function hasBareInterface(sdl: string): boolean {
  const schema = buildSchema(sdl);
  return Object.values(schema.getTypeMap()).some(
    (type) => isInterfaceType(type) && schema.getPossibleTypes(type).length === 0,
  );
}

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@tag", "@inaccessible"])';

/** Two subgraphs with types of every kind. Inputs have the tag `base`: without it the other project hides them, Apollo does not. */
function generateSubgraphs(random: Random): readonly SubgraphSchema[] {
  const rate = random.pick([0.03, 0.1, 0.3, 0.8]);
  const tagged = (...always: readonly string[]): string =>
    [...always, ...(random.chance(rate) ? random.some(tags, 0.3) : [])]
      .map((tag) => ` @tag(name: "${tag}")`)
      .join('');
  const output = (): string =>
    random.chance(0.5)
      ? random.pick(['Int', 'String!', 'Date'])
      : random.pick(['Colour', 'Size!', '[A!]', 'B', 'C', 'Node', 'Either', 'Alone']);
  const argument = (): string =>
    random.chance(0.3) ? `(by: ${random.pick(['Int', 'Filter', 'Size'])}${tagged('base')})` : '';
  const fields = (names: readonly string[]): string =>
    names.map((name) => `  ${name}${argument()}: ${output()}${tagged()}`).join('\n');
  const type = (head: string, body: string): string => `${head} {\n${body}\n}`;
  const idOf = `  id: ID!`;
  const one = [
    link,
    type('type Query', fields(['a', 'b', 'c', 'd', 'e', 'f'])),
    // The other project hides unreachable types only where something links `@inaccessible`.
    'type Hidden @inaccessible {\n  never: Int\n}',
    ...(random.chance(0.5) ? [type('type Mutation', fields(['change']))] : []),
    type(`interface Node${tagged()}`, `${idOf}${tagged()}\n  note: String${tagged()}`),
    ...['A', 'B'].map((name) =>
      type(
        `type ${name} implements Node @key(fields: "id")${tagged()}`,
        `${idOf}${tagged()}\n  note: String${tagged()}\n${fields(['p', 'q'])}`,
      ),
    ),
    type(`type C${tagged()}`, fields(['r', 's'])),
    type(`type Alone${tagged()}`, fields(['t'])),
    `union Either${tagged()} = A | C`,
    `scalar Date${tagged('base')}`,
    type(`enum Colour${tagged('base')}`, `  RED${tagged('base')}\n  BLUE${tagged('base')}`),
    type(`enum Size${tagged('base')}`, `  S${tagged('base')}\n  L${tagged('base')}`),
    type(
      `input Filter${tagged('base')}`,
      `  size: Size${tagged('base')}\n  deep: Filter${tagged('base')}\n  colour: Colour${tagged('base')}`,
    ),
  ].join('\n');
  const two = [
    link,
    type('type Query', `  g: A${tagged()}`),
    type(`type A @key(fields: "id")`, `${idOf}\n  more: Int${tagged()}\n  other: B${tagged()}`),
    type(`type B @key(fields: "id")`, `${idOf}\n  weight: Float${tagged()}`),
  ].join('\n');
  return [
    { name: 'one', routingUrl: 'http://127.0.0.1/one', sdl: one },
    { name: 'two', routingUrl: 'http://127.0.0.1/two', sdl: two },
  ];
}
