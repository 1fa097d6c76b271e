import { host, port, readEnvironment, text, url, variable } from '@meridian/settings/environment';

/**
 * Reads the configuration of the storefront, once, from the environment.
 *
 * @throws {EnvironmentError} with every fault
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
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
    /** The graph endpoint of the gateway. */
    graphUrl: new URL(environment.GRAPH_URL),
    /** The accounts service. */
    accountsUrl: new URL(environment.ACCOUNTS_URL),
    /** The path of the development identity, which takes the place of the shop's identity provider. */
    identityPath: environment.DEVELOPMENT_IDENTITY_PATH,
    /** The manifest, the same as the gateway's. */
    manifestPath: environment.MANIFEST_PATH,
  });
}
