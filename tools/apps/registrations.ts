import { variableOf } from '@meridian/apps';
import type { App } from '@meridian/apps';
import { isRecord } from '@meridian/values';

import type { Registration } from './registration.ts';
import { yamlRegistration } from './yaml-registration.ts';

const isSubgraph = ({ kind }: App): boolean => kind === 'subgraph';
const isBehindGateway = ({ kind }: App): boolean => kind !== 'gateway';

/** The app that `<NAME>_URL` is of. */
const nameInVariable = (key: string): string | undefined =>
  /^([A-Z][A-Z0-9]*)_URL$/u.exec(key)?.[1]?.toLowerCase();
const subgraphUrl = ({ name, port }: App): string => `http://${name}:${port}/graphql`;

const routerYaml = 'router.yaml';
const chartValues = 'deploy/helm/meridian/values.yaml';

/** The two lists of subgraphs in the gateway's configuration; the chart has a copy. */
function routerRegistrations(file: string, root: readonly string[]): Registration[] {
  return [
    yamlRegistration({
      file,
      path: [...root, 'headers', 'subgraphs'],
      otherwise: 'its requests have no token, and it answers 401',
      takes: isSubgraph,
      linesOf: ({ name }) => [`${name}: *token_of_caller`],
      faultOf: (entry) =>
        JSON.stringify(entry).includes('"named":"authorization"')
          ? undefined
          : 'does not propagate authorization: it takes *token_of_caller',
    }),
    yamlRegistration({
      file,
      path: [...root, 'override_subgraph_url'],
      otherwise: 'the gateway asks it where supergraph.yaml says, wherever it runs',
      takes: isSubgraph,
      linesOf: ({ name }) => [`${name}: ${overriddenUrl(name)}`],
      faultOf: (entry, { name }) =>
        entry === overriddenUrl(name) ? undefined : `is not ${overriddenUrl(name)}`,
    }),
  ];
}

function overriddenUrl(name: string): string {
  return `\${env.${variableOf(name)}:-}`;
}

const provisionList = /(?<=unnest\(array\[)[^\]]*(?=\]\) as app\b)/u;
const ownerLine = /^\/apps\/(?<name>[^/\s]+)\/ +(?<owner>.*)$/gmu;
const proxyBlock = (name: string): RegExp =>
  new RegExp(`\\nfrontend ${name}\\n(?:  .*\\n)+backend ${name}\\n(?:  .*\\n)+`, 'u');

/**
 * Every list of apps that a file outside the apps' folders has. The commands that add and remove a subgraph, and the
 * check, go by it.
 */
export const registrations: readonly Registration[] = [
  yamlRegistration({
    file: 'supergraph.yaml',
    path: ['subgraphs'],
    otherwise: 'it is not composed',
    takes: isSubgraph,
    linesOf: ({ name, port }) => [
      `${name}:`,
      `  routing_url: http://127.0.0.1:${port}/graphql`,
      '  schema:',
      `    file: apps/${name}/schema.graphql`,
    ],
    faultOf(entry, { name, port }) {
      const url = isRecord(entry) ? entry['routing_url'] : undefined;
      const expected = `http://127.0.0.1:${port}/graphql`;
      return url === expected
        ? undefined
        : `has the routing_url ${String(url)}; by apps/${name}/app.yaml it is ${expected}`;
    },
  }),
  ...routerRegistrations(routerYaml, []),
  {
    file: '.github/CODEOWNERS',
    place: 'the list of apps',
    otherwise: 'nobody of its team is asked about a change',
    takes: () => true,
    namesIn: (text) =>
      Array.from(text.matchAll(ownerLine), ({ groups }) => groups?.['name'] ?? '').filter(
        (name) => name !== 'storefront',
      ),
    linesOf: ({ name, owner }) => [`${`/apps/${name}/`.padEnd(32)}${owner}`],
    faultOf(text, { name, owner }) {
      const line = Array.from(text.matchAll(ownerLine)).find(({ groups }) => groups?.['name'] === name);
      const listed = line?.groups?.['owner'] ?? '';
      return listed.split(/\s+/u).includes(owner)
        ? undefined
        : `/apps/${name}/ has ${listed}; by apps/${name}/app.yaml it is ${owner}`;
    },
    add(text, app) {
      const subgraphs = Array.from(text.matchAll(ownerLine)).filter(
        ({ groups }) => !['gateway', 'storefront'].includes(groups?.['name'] ?? ''),
      );
      const last = subgraphs.at(-1);
      const end = last === undefined ? text.length : last.index + last[0].length + 1;
      return `${text.slice(0, end)}${this.linesOf(app).join('\n')}\n${text.slice(end)}`;
    },
    remove: (text, name) => text.replace(new RegExp(`^/apps/${name}/ .*\\n`, 'mu'), ''),
  },
  yamlRegistration({
    file: 'docker/compose.yaml',
    path: ['services'],
    otherwise: 'no container runs it',
    takes: () => true,
    // The other services run other programs, or the migrations.
    nameOf: (key) => (['postgres', 'redis', 'migrate'].includes(key) ? undefined : key),
    linesOf: ({ name }) => [
      `${name}:`,
      '  <<: *service',
      `  build: { context: .., dockerfile: docker/Dockerfile, args: { APP: ${name} } }`,
      '  environment:',
      '    <<: *environment',
      `    DATABASE_URL: postgresql://meridian_${name}:\${SERVICE_PASSWORD}@postgres/meridian_${name}`,
    ],
  }),
  yamlRegistration({
    file: 'docker/compose.yaml',
    path: ['services', 'gateway', 'environment'],
    otherwise: 'the gateway does not find it',
    takes: isSubgraph,
    keyOf: variableOf,
    nameOf: (key) => (['DATABASE_URL', 'REDIS_URL'].includes(key) ? undefined : nameInVariable(key)),
    linesOf: (app) => [`${variableOf(app.name)}: ${subgraphUrl(app)}`],
    faultOf: (entry, app) => (entry === subgraphUrl(app) ? undefined : `is not ${subgraphUrl(app)}`),
  }),
  {
    file: 'docker/provision.sql',
    place: 'the list of apps',
    otherwise: 'its database is not created',
    takes: ({ hasDatabase }) => hasDatabase,
    namesIn: (text) =>
      Array.from(
        provisionList.exec(text)?.[0].matchAll(/'(?<name>[^']*)'/gu) ?? [],
        ({ groups }) => groups?.['name'] ?? '',
      ),
    linesOf: ({ name }) => [`'${name}'`],
    faultOf: () => undefined,
    add: (text, { name }) => text.replace(provisionList, (list) => `${list}, '${name}'`),
    remove: (text, name) =>
      text.replace(provisionList, (list) =>
        list
          .split(', ')
          .filter((quoted) => quoted !== `'${name}'`)
          .join(', '),
      ),
  },
  yamlRegistration({
    file: chartValues,
    path: ['services'],
    otherwise: 'the chart does not run it',
    takes: isBehindGateway,
    linesOf: ({ name, port }) => [
      `${name}:`,
      `  port: ${port}`,
      '  replicas: 2',
      `  databaseSecret: meridian-${name}`,
      '  usesSharedSecret: false',
      '  isPublic: false',
      '  resources: *resources',
    ],
    faultOf(entry, { name, port }) {
      const listed = isRecord(entry) ? entry['port'] : undefined;
      return listed === port
        ? undefined
        : `has the port ${String(listed)}; by apps/${name}/app.yaml it is ${port}`;
    },
  }),
  ...routerRegistrations(chartValues, ['gateway', 'router', 'configuration']),
  {
    file: 'deploy/haproxy/haproxy.cfg',
    place: 'the list of frontends',
    otherwise: 'its replicas are not balanced',
    takes: () => true,
    namesIn: (text) =>
      Array.from(text.matchAll(/^frontend (?<name>\S+)$/gmu), ({ groups }) => groups?.['name'] ?? '').filter(
        (name) => name !== 'stats',
      ),
    linesOf({ name, port }) {
      const variable = name.toUpperCase();
      return [
        '',
        `frontend ${name}`,
        `  bind "\${${variable}_BIND-127.0.0.1:${port}}"`,
        `  default_backend ${name}`,
        `backend ${name}`,
        ...[1, 2].map(
          (replica) =>
            `  server ${name}-${replica} "\${${variable}_${replica}}" port "\${${variable}_${replica}_ADMIN}"`,
        ),
      ];
    },
    faultOf(text, { name, port }) {
      const [block = ''] = proxyBlock(name).exec(text) ?? [];
      return block.includes(`:${port}}"\n`)
        ? undefined
        : `${name} is bound to another port than ${port}, which apps/${name}/app.yaml has`;
    },
    add(text, app) {
      return `${text}${this.linesOf(app).join('\n')}\n`;
    },
    remove: (text, name) => text.replace(proxyBlock(name), ''),
  },
];
