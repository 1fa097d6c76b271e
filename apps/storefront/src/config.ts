import { host, port, readEnvironment, text, url, variable } from '@meridian/settings/environment';

/** The configuration of the storefront, read once from the environment. */
export interface StorefrontConfig {
  readonly host: string;
  readonly port: number;
  /** The graph endpoint of the gateway. */
  readonly graphUrl: URL;
  /** The accounts service. */
  readonly accountsUrl: URL;
  /** The path of the development identity, which takes the place of the shop's identity provider. */
  readonly identityPath: string;
  /** The manifest, the same as the gateway's. */
  readonly manifestPath: string;
}

/**
 * Reads the configuration.
 *
 * @throws {EnvironmentError} with every fault
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): StorefrontConfig {
  const environment = readEnvironment(env, {
    HOST: variable(host, { default: '127.0.0.1' }),
    PORT: variable(port, { default: 4173 }),
    GRAPH_URL: variable(url(['http', 'https']), { default: 'http://127.0.0.1:4000/graphql' }),
    ACCOUNTS_URL: variable(url(['http', 'https']), { default: 'http://127.0.0.1:4001' }),
    DEVELOPMENT_IDENTITY_PATH: variable(text, { default: '.data/identity' }),
    MANIFEST_PATH: variable(text, { default: 'persisted-queries.json' }),
  });
  return Object.freeze({
    host: environment.HOST,
    port: environment.PORT,
    graphUrl: new URL(environment.GRAPH_URL),
    accountsUrl: new URL(environment.ACCOUNTS_URL),
    identityPath: environment.DEVELOPMENT_IDENTITY_PATH,
    manifestPath: environment.MANIFEST_PATH,
  });
}
