import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readApps } from '@meridian/local-stack/apps';
import { parse } from 'yaml';

/** The parts to deploy. */
export interface Deployment {
  /** The apps that have an app.yaml. */
  readonly apps: readonly string[];
  /** The apps with migrations, and so a database. */
  readonly databases: readonly string[];
  /** Subgraph that runs here → its `routing_url` in supergraph.yaml, whose port and path it has everywhere. */
  readonly subgraphs: ReadonlyMap<string, URL>;
  /** App → the subgraphs that it calls; apps that call none may be left out. */
  readonly calls: ReadonlyMap<string, readonly string[]>;
}

/** Reads what a checkout has to deploy. */
export function readDeployment(checkout: string): Deployment {
  const apps = readApps(checkout);
  const composed: { readonly subgraphs: Readonly<Record<string, { readonly routing_url: string }>> } = parse(
    readFileSync(join(checkout, 'supergraph.yaml'), 'utf8'),
  );
  return {
    apps: apps.map(({ name }) => name),
    databases: apps.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => name),
    subgraphs: new Map(
      Object.entries(composed.subgraphs)
        .filter(([name]) => apps.some((app) => app.name === name))
        .map(([name, subgraph]) => [name, new URL(subgraph.routing_url)]),
    ),
    calls: new Map(apps.map(({ name, calls }) => [name, calls])),
  };
}
