import { readFileSync } from 'node:fs';

import { isExternal, readMembers } from '@meridian/local-stack/apps';
import type { App, Member } from '@meridian/local-stack/apps';
import { UsageError } from '@meridian/settings/command-line';
import { readGraphTypes } from '@meridian/composition/graph-types';
import type { GraphType, GraphTypes } from '@meridian/composition/graph-types';
import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findStack } from '@meridian/local-stack/explained-gateway';

import { assertFreeName, assertFreeWords } from './assert-free-name.ts';
import type { NewSubgraph } from './render-template.ts';
import { renderTemplate } from './render-template.ts';
import { typeOfName, typeWords } from './type-words.ts';
import type { TypeWords } from './type-words.ts';
import { writeSubgraph } from './write-subgraph.ts';

/** A call of `pnpm create-subgraph`. */
export interface CreateOptions {
  readonly name: string;
  /** Default: follows from the name. */
  readonly type: string | undefined;
  readonly entity: string | undefined;
  /** Default: the one after the last app's. */
  readonly port: number | undefined;
  /** Default: the team that has the subgraph's name. */
  readonly owner: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Creates a subgraph in this checkout, and adds it to every list of apps.
 *
 * @throws {UsageError} for a name, a type, an entity or a port that it cannot take, before anything is written
 * @throws {CommandError} when what was written does not install or compose
 */
export async function createSubgraph(options: CreateOptions): Promise<void> {
  const app = newApp(options, readMembers('.'));
  const graph = readGraphTypes(readFileSync('supergraph.graphql', 'utf8'));
  const words = typeWords(options.type ?? typeOfName(app.name));
  const entity = options.entity === undefined ? undefined : entityNamed(options.entity, graph);
  assertFreeWords('.', words);
  assertNewInGraph(words, entity, graph);

  const left = await writeSubgraph(app, renderTemplate('.', { app, words, entity }), options);
  if (left !== undefined) {
    console.log(nextSteps({ app, words, entity }, left));
  }
}

/** @throws {UsageError} for a name or a port that is taken */
function newApp({ name, port, owner }: CreateOptions, members: readonly Member[]): App {
  assertFreeName(name);
  const apps = members.filter((member) => !isExternal(member));
  const ports = new Map(
    apps.flatMap((app) => [
      [app.port, `the port of ${app.name}`] as const,
      [app.adminPort, `the admin_port of ${app.name}`] as const,
    ]),
  );
  const free = (from: number): number => (ports.has(from) ? free(from + 1) : from);
  if (port !== undefined && ports.has(port)) {
    throw new UsageError(`--port is ${port}, which is ${ports.get(port)}; ${free(port)} is free`);
  }
  const own = port ?? free(Math.max(...apps.map((app) => app.port)) + 1);
  ports.set(own, `the port of ${name}`);
  return {
    name,
    kind: 'subgraph',
    owner: owner ?? `@meridian/${name}`,
    port: own,
    adminPort: free(Math.min(...apps.map((app) => app.adminPort))),
    calls: [],
    hasDatabase: true,
    hasDemoData: true,
  };
}

/** @throws {UsageError} for a type that cannot be extended by its `id` */
function entityNamed(name: string, { types }: GraphTypes): GraphType {
  const entities = [...types.values()].filter(({ places }) => places.some(({ keys }) => keys.includes('id')));
  const entity = entities.find((type) => type.name === name);
  if (entity === undefined) {
    const others = entities.map((type) => type.name).toSorted();
    const reason = types.has(name) ? 'which has no @key(fields: "id")' : 'which is not in the graph';
    throw new UsageError(`--entity is ${JSON.stringify(name)}, ${reason}; it takes ${others.join(', ')}`);
  }
  return entity;
}

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** @throws {UsageError} when another subgraph has the type, or one of the fields */
function assertNewInGraph(
  { type, one, many }: TypeWords,
  entity: GraphType | undefined,
  { types }: GraphTypes,
): void {
  const owners = types.get(type)?.places.map(({ subgraph }) => subgraph);
  if (owners !== undefined) {
    throw new UsageError(
      `The type ${type} is taken, by ${conjunction.format(owners)}; --type names another one`,
    );
  }
  const fields = [
    ['Query', one],
    ['Query', many],
    ['Mutation', `add${type}`],
    ['Subscription', `${one}Added`],
    ...(entity === undefined ? [] : [[entity.name, many]]),
  ] as const;
  const existing = fields.find(([parent = '', field = '']) =>
    types.get(parent)?.fields.some(({ name }) => name === field),
  );
  if (existing !== undefined) {
    throw new UsageError(`The field ${existing.join('.')} is taken; --type names another type`);
  }
}

/**
 * The next steps for the person who created a subgraph, in their order.
 *
 * @param left the steps that need tools which this machine lacks
 */
function nextSteps({ app, words: { type, many }, entity }: NewSubgraph, left: readonly string[]): string {
  const joined = entity?.fields.some(({ name }) => name === 'name') === true ? 'name' : 'id';
  const selection = entity === undefined ? 'id name' : `id name ${lowerFirst(entity.name)} { ${joined} }`;
  const operation = `query New { ${many}(first: 2) { ${selection} } }`;
  const steps = [
    `pnpm test:suite apps/${app.name}    runs its tests`,
    ...(findStack(defaultDataRoot) !== undefined
      ? [`stop the running stack: its gateway may have the new graph, but it does not run ${app.name}`]
      : []),
    `pnpm dev --only ${app.name}    runs the graph. In its explorer: ${operation}`,
    ...left,
    'pnpm verify    before you push',
  ];
  return `${type} is served at port ${app.port}, owned by ${app.owner}. Next:\n${steps.map((step) => `  ${step}`).join('\n')}`;
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
