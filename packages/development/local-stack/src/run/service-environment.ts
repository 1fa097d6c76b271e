import { variableOf } from '../apps/index.ts';
import type { DevelopmentIdentity } from '@meridian/auth/development';

import type { DataDirectory } from '../data-directory.ts';
import { serviceNamed, urlOf } from '../apps/services.ts';
import type { Service } from '../apps/services.ts';
import type { SecretFor } from '../stack-secret.ts';

/** The sources of all services' environments. */
export interface EnvironmentSources {
  /** The stack's own environment: a service inherits variables that the stack does not set, such as REDIS_URL. */
  readonly environment: NodeJS.ProcessEnv;
  readonly data: DataDirectory;
  readonly identity: DevelopmentIdentity;
  readonly secretFor: SecretFor;
  readonly services: readonly Service[];
}

/** The secret of `pnpm explain` for the gateway. */
export const explainSecretPurpose = 'gateway/explain-secret';

/** The environment of a service, but for the DATABASE_URL of one that has a database. Contract: Processes. */
export function environmentOf(
  service: Service,
  { environment, data, identity, secretFor, services }: EnvironmentSources,
): NodeJS.ProcessEnv {
  const called = service.calls.map((name) => serviceNamed(name, services));
  return {
    ...service.environment,
    ...environment,
    ...Object.fromEntries(called.map((other) => [variableOf(other.name), urlOf(other)])),
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: data.compileCache,
    HOST: service.host,
    PORT: String(service.port),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(service.adminPort),
    // Removed: the stack's DATABASE_URL is the administrator's.
    DATABASE_URL: undefined,
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    JWT_AUDIENCE: identity.audience,
    ETAG_KEYS: secretFor(`${service.name}/etag-keys`),
    CURSOR_KEYS: secretFor(`${service.name}/cursor-keys`),
    WEBHOOK_SECRET_KEYS: secretFor(`${service.name}/webhook-secret-keys`),
    WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8',
    EXPLAIN_SECRET: secretFor(explainSecretPurpose),
    // The gateway's explorer fills in a token of its own.
    DEVELOPMENT_IDENTITY_PATH: data.identity,
    // The explorer links to it once `pnpm graph` has written it.
    GRAPH_PAGE_PATH: 'graph.html',
    PROBLEM_BASE_URL: urlOf(serviceNamed('accounts', services)),
  };
}
