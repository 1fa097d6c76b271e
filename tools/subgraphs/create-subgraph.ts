import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { appNamePattern, readApps } from '@meridian/apps';
import type { App } from '@meridian/apps';
import { UsageError, counted } from '@meridian/command-line';
import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findGatewayAdmin } from '@meridian/local-stack/explained-gateway';

import { registrations } from '../apps/registrations.ts';
import { format, generatedFiles, writeGeneratedFiles } from './follow-up.ts';
import { nextSteps } from './next-steps.ts';
import { readGraph } from './read-graph.ts';
import type { GraphType } from './read-graph.ts';
import { changedFiles } from './registered-files.ts';
import { renderTemplate } from './render-template.ts';
import { typeOfName, typeWords } from './type-words.ts';
import type { TypeWords } from './type-words.ts';

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

/** Names that other programs of a stack have. */
const reservedNames = new Set(['inspector', 'migrate', 'postgres', 'redis', 'stats', 'template']);

/**
 * Creates a subgraph in this checkout, and adds it to every list of apps.
 *
 * @throws {UsageError} for a name, a type, an entity or a port that it cannot take, before anything is written
 * @throws {CommandError} when what was written does not install or compose
 */
export async function createSubgraph(options: CreateOptions): Promise<void> {
  const startedAt = performance.now();
  const apps = readApps('.');
  const app = newApp(options, apps);
  const graph = readGraph('supergraph.graphql');
  const words = typeWords(options.type ?? typeOfName(app.name));
  const entity = options.entity === undefined ? undefined : entityNamed(options.entity, graph);
  assertNewInGraph(words, entity, graph);

  const files = renderTemplate('.', { app, words, entity });
  const changed = changedFiles('.', registrations, (registration, text) =>
    registration.takes(app) ? registration.add(text, app) : text,
  );
  if (options.dryRun) {
    console.log(
      `${listed('creates', files.keys())}${listed('adds to', changed.keys())}${listed('generates', generatedFiles)}`.trimEnd(),
    );
    return;
  }
  for (const [path, text] of [...files, ...changed]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  format(`apps/${app.name}`);
  const left = await writeGeneratedFiles().catch((error: unknown) => {
    console.error(
      `apps/${app.name} is written, but not complete. pnpm remove-subgraph ${app.name} --force takes it away`,
    );
    throw error;
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `apps/${app.name}: ${counted(files.size, 'file')}, and ${changed.size} others changed, ${seconds} s`,
  );
  const isStackRunning = findGatewayAdmin(defaultDataRoot) !== undefined;
  console.log(nextSteps({ app, words, entity }, { left, isStackRunning }));
}

function listed(title: string, paths: Iterable<string>): string {
  return `${title}\n${[...paths].map((path) => `  ${path}\n`).join('')}`;
}

/** @throws {UsageError} for a name or a port that is taken */
function newApp({ name, port, owner }: CreateOptions, apps: readonly App[]): App {
  if (!appNamePattern.test(name)) {
    throw new UsageError(
      `The name is ${JSON.stringify(name)}; it takes lowercase letters and digits, a letter first`,
    );
  }
  if (existsSync(`apps/${name}`)) {
    throw new UsageError(`The name ${name} is taken: there is apps/${name}`);
  }
  if (existsSync(`packages/${name}`) || reservedNames.has(name)) {
    throw new UsageError(
      `The name ${name} is taken: ${reservedNames.has(name) ? 'another part of a stack has it' : `packages/${name} is @meridian/${name}`}`,
    );
  }
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
function entityNamed(name: string, graph: ReadonlyMap<string, GraphType>): GraphType {
  const entities = [...graph.values()].filter(({ places }) => places.some(({ keys }) => keys.includes('id')));
  const entity = entities.find((type) => type.name === name);
  if (entity === undefined) {
    const others = entities.map((type) => type.name).toSorted();
    const reason = graph.has(name) ? 'which has no @key(fields: "id")' : 'which is not in the graph';
    throw new UsageError(`--entity is ${JSON.stringify(name)}, ${reason}; it takes ${others.join(', ')}`);
  }
  return entity;
}

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** @throws {UsageError} when another subgraph has the type, or one of the fields */
function assertNewInGraph(
  { type, one, many }: TypeWords,
  entity: GraphType | undefined,
  graph: ReadonlyMap<string, GraphType>,
): void {
  const owners = graph.get(type)?.places.map(({ subgraph }) => subgraph);
  if (owners !== undefined) {
    throw new UsageError(
      `The type ${type} is taken, by ${conjunction.format(owners)}; --type names another one`,
    );
  }
  const fields = [
    ['Query', one],
    ['Query', many],
    ...(entity === undefined ? [] : [[entity.name, many]]),
  ] as const;
  const taken = fields.find(([parent = '', field = '']) => graph.get(parent)?.fields.includes(field));
  if (taken !== undefined) {
    throw new UsageError(`The field ${taken.join('.')} is taken; --type names another type`);
  }
}
