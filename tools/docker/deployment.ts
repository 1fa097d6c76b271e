import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { services } from '@meridian/local-stack';
import { parse } from 'yaml';

/** The parts to deploy. */
export interface Deployment {
  /** The folders of apps/ that are deployed. */
  readonly apps: readonly string[];
  /** The apps with migrations, and so a database. */
  readonly databases: readonly string[];
  /** Subgraph → its `routing_url` in supergraph.yaml, whose port and path it has everywhere. */
  readonly subgraphs: ReadonlyMap<string, URL>;
  /** App → the subgraphs that it calls, as the local stack has it; apps that call none may be left out. */
  readonly calls: ReadonlyMap<string, readonly string[]>;
}

/** The example client is tried beside a stack, on a developer's machine. */
const undeployed: ReadonlySet<string> = new Set(['storefront']);

/** Reads what a checkout has to deploy. */
export function readDeployment(checkout: string): Deployment {
  const has = (app: string, path: string): boolean => existsSync(join(checkout, 'apps', app, path));
  const apps = readdirSync(join(checkout, 'apps')).filter(
    (app) => has(app, 'src/main.ts') && !undeployed.has(app),
  );
  const composed: { readonly subgraphs: Readonly<Record<string, { readonly routing_url: string }>> } = parse(
    readFileSync(join(checkout, 'supergraph.yaml'), 'utf8'),
  );
  return {
    apps,
    databases: apps.filter((app) => has(app, 'migrations')),
    subgraphs: new Map(
      Object.entries(composed.subgraphs).map(([name, subgraph]) => [name, new URL(subgraph.routing_url)]),
    ),
    calls: new Map(services.map(({ name, calls }) => [name, calls])),
  };
}
