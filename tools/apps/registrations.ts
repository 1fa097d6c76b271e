import { isExternal, nameInVariable, variableOf, variablePrefixOf } from '@meridian/local-stack/apps';
import type { App, ExternalSubgraph, Member } from '@meridian/local-stack/apps';
import { databaseOf } from '@meridian/database/database-of';
import { isRecord } from '@meridian/settings/values';

import type { Registration } from './registration.ts';
import { memberOf, yamlRegistration } from './registration.ts';

/** An app that runs here. */
const isApp = (member: Member): member is App => !isExternal(member);
const isAny = (member: Member): member is Member => isApp(member) || isExternal(member);
const isSubgraph = (member: Member): member is App => member.kind === 'subgraph';
/** A part of the graph, wherever it runs. */
const isInGraph = (member: Member): member is Member => isSubgraph(member) || isExternal(member);
const isBehindGateway = (member: Member): member is App => isApp(member) && member.kind !== 'gateway';

const subgraphUrl = ({ name, port }: App): string => `http://${name}:${port}/graphql`;

const routerYaml = 'router.yaml';
const chartValues = 'deploy/helm/meridian/values.yaml';

/** The two lists of subgraphs in the gateway's configuration; the chart has a copy. */
function routerRegistrations(file: string, root: readonly string[]): Registration[] {
  return [
    yamlRegistration({
      file,
      path: [...root, 'headers', 'subgraphs'],
      otherwise: 'it gets no token, and our own subgraphs answer 401 then',
      takes: isInGraph,
      linesOf: (member) =>
        isExternal(member) ? headerRulesOf(member) : [`${member.name}: *token_of_caller`],
      faultOf(entry, member) {
        const propagated = propagatedBy(entry);
        if (isExternal(member)) {
          const wanted = member.headers.join(', ') || 'nothing';
          const listed = propagated.join(', ') || 'nothing';
          return listed === wanted
            ? undefined
            : `propagates ${listed}; by apps/${member.name}/app.yaml it is ${wanted}`;
        }
        return propagated.includes('authorization')
          ? undefined
          : 'does not propagate authorization: it takes *token_of_caller';
      },
    }),
    yamlRegistration({
      file,
      path: [...root, 'override_subgraph_url'],
      otherwise: 'the gateway asks it where supergraph.yaml says, wherever it runs',
      takes: isInGraph,
      linesOf: ({ name }) => [`${name}: ${overriddenUrl(name)}`],
      faultOf: (entry, { name }) =>
        entry === overriddenUrl(name) ? undefined : `is not ${overriddenUrl(name)}`,
    }),
  ];
}

/** Without `authorization` among its header fields, a rule says that this is on purpose: the gateway warns otherwise. */
function headerRulesOf({ name, headers }: ExternalSubgraph): string[] {
  return [
    `${name}:`,
    '  request:',
    '    operations:',
    ...(headers.includes('authorization') ? [] : ['      - remove:', '          named: authorization']),
    ...headers.flatMap((field) => ['      - propagate:', `          named: ${field}`]),
  ];
}

/** The fields that the rules of an entry propagate, in lower case; a pattern as `/…/`. */
function propagatedBy(entry: unknown): string[] {
  const operations = memberOf(memberOf(entry, 'request'), 'operations');
  return (Array.isArray(operations) ? operations : []).flatMap((operation: unknown) => {
    const propagate = memberOf(operation, 'propagate');
    if (!isRecord(propagate)) {
      return [];
    }
    const { named, matching } = propagate;
    return typeof named === 'string' ? [named.toLowerCase()] : [`/${String(matching)}/`];
  });
}

function overriddenUrl(name: string): string {
  return `\${env.${variableOf(name)}:-}`;
}

/** The URL that a subgraph has for `pnpm start`. */
export function routingUrlOf(member: Member): string {
  return isExternal(member) ? member.url : `http://127.0.0.1:${member.port}/graphql`;
}

const provisionList = /(?<=unnest\(array\[)[^\]]*(?=\]\) as app\b)/u;
const ownerLine = /^\/apps\/(?<name>[^/\s]+)\/ +(?<owner>.*)$/gmu;
const proxyBlock = (name: string): RegExp =>
  new RegExp(`\\nfrontend ${name}\\n(?:  .*\\n)+backend ${name}\\n(?:  .*\\n)+`, 'u');

const balancedApps: Registration<App> = {
  file: 'deploy/haproxy/haproxy.cfg',
  place: 'the list of frontends',
  otherwise: 'its replicas are not balanced',
  takes: isApp,
  namesIn: (text) =>
    Array.from(text.matchAll(/^frontend (?<name>\S+)$/gmu), ({ groups }) => groups?.['name'] ?? '').filter(
      (name) => name !== 'stats',
    ),
  linesOf({ name, port }) {
    const variable = variablePrefixOf(name);
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
};

/**
 * Every list of apps that a file outside the apps' folders has. The commands that add and remove a subgraph, and the
 * check, go by it.
 */
export const registrations: readonly Registration[] = [
  yamlRegistration({
    file: 'supergraph.yaml',
    path: ['subgraphs'],
    otherwise: 'it is not composed',
    takes: isInGraph,
    linesOf: (member) => [
      `${member.name}:`,
      `  routing_url: ${routingUrlOf(member)}`,
      '  schema:',
      `    file: apps/${member.name}/schema.graphql`,
    ],
    faultOf(entry, member) {
      const url = memberOf(entry, 'routing_url');
      const expected = routingUrlOf(member);
      return url === expected
        ? undefined
        : `has the routing_url ${String(url)}; by apps/${member.name}/app.yaml it is ${expected}`;
    },
  }),
  ...routerRegistrations(routerYaml, []),
  {
    file: '.github/CODEOWNERS',
    place: 'the list of apps',
    otherwise: 'nobody of its team is asked about a change',
    takes: isAny,
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
    add(text, app: Member) {
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
    takes: isApp,
    // The other services run other programs, or the migrations.
    nameOf: (key) => (['postgres', 'redis', 'migrate'].includes(key) ? undefined : key),
    linesOf: ({ name }) => [
      `${name}:`,
      '  <<: *service',
      `  build: { context: .., dockerfile: docker/Dockerfile, args: { APP: ${name} } }`,
      '  environment:',
      '    <<: [*environment, *keys]',
      `    DATABASE_URL: postgresql://${databaseOf(name)}:\${SERVICE_PASSWORD}@postgres/${databaseOf(name)}`,
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
    takes: (member): member is App => isApp(member) && member.hasDatabase,
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
      '  usesSharedSecret: true',
      '  isPublic: false',
      '  resources: *resources',
    ],
    faultOf(entry, { name, port }) {
      const listed = memberOf(entry, 'port');
      return listed === port
        ? undefined
        : `has the port ${String(listed)}; by apps/${name}/app.yaml it is ${port}`;
    },
  }),
  ...routerRegistrations(chartValues, ['gateway', 'router', 'configuration']),
  balancedApps,
];
