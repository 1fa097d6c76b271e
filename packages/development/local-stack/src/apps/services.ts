import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { scopesWith } from '@meridian/auth/development';

import { isExternal, readApps, readMembers } from './index.ts';
import type { App, ExternalSubgraph } from './index.ts';
import { checkout } from '../data-directory.ts';

/**
 * An app as the stack runs it. Every app has the same entry points: `src/main.ts`, `migrations/`, `src/seed.ts`. It
 * gets the URLs of those that it calls as `<NAME>_URL`, and stops before they do.
 */
export interface Service extends Omit<App, 'owner'> {
  readonly host: '127.0.0.1' | '0.0.0.0';
  /** The path of its API. */
  readonly path: '' | '/graphql';
  /** Its additional environment; the stack's own environment takes precedence. */
  readonly environment: Readonly<Record<string, string>>;
}

const gatewayEnvironment: Service['environment'] = {
  ROUTER_CONFIG_PATH: 'router.yaml',
  ROUTER_CONFIG_OVERLAY_PATH: 'router.development.yaml',
  SUPERGRAPH_PATH: 'supergraph.graphql',
  // As the gateway sets it for itself, which it cannot in a child with an IPC channel.
  NODE_OPTIONS: '--max-semi-space-size=16',
};

/**
 * Reads every service, in the order of the screen: the apps that run here. Contract: Processes.
 *
 * @throws {AppFileError} for an app.yaml that cannot be read
 */
export function readServices(): readonly Service[] {
  return readApps(checkout).map(serviceOf);
}

/**
 * Reads the names of the subgraphs among the services.
 *
 * @throws {AppFileError} for an app.yaml that cannot be read
 */
export function readSubgraphNames(): readonly string[] {
  return readApps(checkout)
    .filter(({ kind }) => kind === 'subgraph')
    .map(({ name }) => name);
}

/**
 * Reads the subgraphs that run elsewhere.
 *
 * @throws {AppFileError} for an app.yaml that cannot be read
 */
export function readExternalSubgraphs(): readonly ExternalSubgraph[] {
  return readMembers(checkout).filter(isExternal);
}

function serviceOf({ owner: _owner, ...app }: App): Service {
  const isGateway = app.kind === 'gateway';
  return {
    ...app,
    host: isGateway ? '0.0.0.0' : '127.0.0.1',
    path: app.kind === 'service' ? '' : '/graphql',
    environment: isGateway ? gatewayEnvironment : {},
  };
}

/** The service of a name that is among them. */
export function serviceNamed(name: string, among: readonly Service[]): Service {
  const found = among.find((candidate) => candidate.name === name);
  if (found === undefined) {
    throw new Error(`There is no service ${name}`);
  }
  return found;
}

/** The URL at which others reach a service. */
export function urlOf({ port, path }: Pick<Service, 'port' | 'path'>): string {
  return `http://127.0.0.1:${port}${path}`;
}

/** All scopes in use: the services' scopes, then further ones in the subgraphs' schemas. */
export function knownScopes(): string[] {
  const schemas = [...readSubgraphNames(), ...readExternalSubgraphs().map(({ name }) => name)]
    .map((name) => join(checkout, 'apps', name, 'schema.graphql'))
    // A missing schema has no scopes; the composition reports it.
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  return scopesWith(schemas.join('\n'));
}
