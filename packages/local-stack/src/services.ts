/** An app as the stack runs it. Every app has the same entry points: `src/main.ts`, `migrations/`, `src/seed.ts`. */
export interface Service {
  /** Of the app's folder, of its database and role (`meridian_<name>`), and on the screen. */
  readonly name: string;
  readonly host: '127.0.0.1' | '0.0.0.0';
  readonly port: number;
  readonly adminPort: number;
  /** Where its API begins. */
  readonly path: '' | '/graphql';
  readonly hasDatabase: boolean;
  readonly hasDemoData: boolean;
  /** The services that it calls. It gets their URLs as `<NAME>_URL`, and stops before they do. */
  readonly calls: readonly string[];
  /** Its additional environment; the stack's own environment takes precedence. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Every service, in the order of the screen. Contract: Processes. */
export const services: readonly Service[] = [
  {
    ...service('gateway', 4000, 8088),
    host: '0.0.0.0',
    path: '/graphql',
    calls: ['products', 'reviews', 'orders', 'users'],
    environment: {
      ROUTER_CONFIG_PATH: 'router.yaml',
      ROUTER_CONFIG_OVERLAY_PATH: 'router.development.yaml',
      SUPERGRAPH_PATH: 'supergraph.graphql',
      // A gateway makes much garbage: with the default, garbage collection takes up to half of the time.
      NODE_OPTIONS: '--max-semi-space-size=64',
    },
  },
  service('accounts', 4001, 8081),
  subgraph('products', 4002, 8082),
  { ...subgraph('reviews', 4003, 8083), calls: ['products'] },
  subgraph('orders', 4004, 8084),
  subgraph('users', 4005, 8085),
];

function service(name: string, port: number, adminPort: number): Service {
  return {
    name,
    port,
    adminPort,
    host: '127.0.0.1',
    path: '',
    hasDatabase: true,
    hasDemoData: false,
    calls: [],
    environment: {},
  };
}

function subgraph(name: string, port: number, adminPort: number): Service {
  return { ...service(name, port, adminPort), path: '/graphql', hasDemoData: true };
}

/** The service of a name that is in the table. */
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
