import type { RouterConfig } from '@meridian/router-config';

import { explainFaults } from './explain-config.ts';
import type { GatewayEnvironment } from './gateway-environment.ts';
import { graphsFaults } from './graph-rules.ts';
import { keySetChecks, trustedKeys, verifiesTokens } from './issuers.ts';
import { otelFaults } from './otel-environment.ts';
import { isSameAddress, listenAddresses } from './listen-addresses.ts';
import { mcpFaults } from './mcp-checks.ts';
import { responseCacheChecks } from './response-cache-config.ts';

export interface StartChecks {
  /** Faults that stop the start, as sentences that begin with the path of a key. */
  readonly faults: readonly string[];
  /** Settings that work, but perhaps not as their author expects. The start logs them as warnings. */
  readonly notes: readonly string[];
}

/** The paths of the admin listener that no health check takes over. */
const adminPaths = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Checks of router.yaml that no single key can make: the mode, the environment, and keys that depend on each other.
 *
 * @param isOfGraph true for the configuration of one graph of several, whose rules are checked for all graphs together
 */
export function startChecks(
  file: RouterConfig,
  environment: GatewayEnvironment,
  isOfGraph = false,
): StartChecks {
  const checks: readonly Check[] = [
    keySetChecks,
    identityChecks,
    tenantChecks,
    introspectionChecks,
    sandboxChecks,
    listenerChecks,
    callbackChecks,
    (read) => ({ faults: explainFaults(read) }),
    (read, set) => ({ faults: mcpFaults(read, set) }),
    (read, known) => ({ faults: isOfGraph ? [] : graphsFaults(read, known) }),
    (read, variables) => ({ faults: otelFaults(read.telemetry, variables) }),
    claimChecks,
    (read, { REDIS_URL: redisUrl }) => responseCacheChecks(read, redisUrl !== undefined),
  ];
  const found = checks.map((check) => check(file, environment));
  return {
    faults: found.flatMap(({ faults = [] }) => faults),
    notes: found.flatMap(({ notes = [] }) => notes),
  };
}

type Check = (file: RouterConfig, environment: GatewayEnvironment) => Partial<StartChecks>;

const claimChecks: Check = (file, environment) => {
  const { override_labels: labels, tiers } = file.meridian;
  const ofLabels = Array.from(labels)
    .filter(([, rule]) => typeof rule === 'object' && rule.kind === 'claim')
    .map(([label]) => `override_labels.${label}`);
  return {
    faults: verifiesTokens(trustedKeys(file, environment))
      ? []
      : [...ofLabels, ...(tiers === undefined ? [] : ['tiers'])].map(
          (path) =>
            `meridian.${path}.claim: needs authentication.router.jwt, which verifies the tokens that have it`,
        ),
  };
};

const identityChecks: Check = (file, environment) =>
  file.authorization.require_authentication && !verifiesTokens(trustedKeys(file, environment))
    ? {
        faults: [
          'authorization.require_authentication: needs authentication.router.jwt; without it, every request would be rejected',
        ],
      }
    : {};

const tenantChecks: Check = ({ authentication, meridian }) =>
  authentication?.router !== undefined &&
  meridian.throttle.tenant !== undefined &&
  meridian.authentication.tenant_claim === undefined
    ? {
        notes: [
          'meridian.throttle.tenant limits all callers of an issuer together; meridian.authentication.tenant_claim names the claim that tells tenants apart',
        ],
      }
    : {};

const introspectionChecks: Check = ({ supergraph, meridian }, { mode }) =>
  supergraph.introspection && mode === 'production' && !meridian.public_schema
    ? {
        notes: [
          'supergraph.introspection shows the whole schema to every accepted caller; meridian.public_schema: true confirms that this is intended',
        ],
      }
    : {};

const sandboxChecks: Check = ({ sandbox }, { mode }) =>
  sandbox.enabled && mode === 'production'
    ? { notes: ['sandbox.enabled has no effect: the explorer is for development (NODE_ENV=development)'] }
    : {};

const callbackChecks: Check = ({ subscription, meridian }, { CALLBACK_SECRET: secret }) => {
  const { replica_url: replicaUrl } = meridian.subscription.callback;
  return {
    faults: [
      ...(replicaUrl !== undefined && secret === undefined
        ? [
            `meridian.subscription.callback.replica_url: is ${replicaUrl}, and needs the variable CALLBACK_SECRET, the same for all replicas: each verifies calls for streams of the others`,
          ]
        : []),
      ...(replicaUrl !== undefined && subscription.mode.callback === undefined
        ? ['meridian.subscription.callback.replica_url: needs subscription.mode.callback']
        : []),
    ],
  };
};

const listenerChecks: Check = (file, environment) => {
  const { listen, admin, isHealthPublic, scrapes } = listenAddresses(file, environment);
  const { enabled, path } = file.health_check;
  return {
    faults: [
      ...(isSameAddress(listen, admin)
        ? ['health_check.listen: is the address of supergraph.listen; the admin listener needs its own port']
        : []),
      ...(scrapes !== undefined && [listen, admin].some((other) => isSameAddress(other, scrapes))
        ? [
            'telemetry.exporters.metrics.prometheus.listen: is the address of another listener; it needs its own port, or the one of health_check.listen with the path /metrics',
          ]
        : []),
    ],
    notes: [
      ...(enabled && adminPaths.has(path)
        ? [`health_check.path has no effect: the admin listener uses ${path} itself`]
        : []),
      ...(isHealthPublic
        ? [
            `health_check.listen is the address of supergraph.listen: only ${path} is served there; /livez, /readyz and /metrics are at ${admin.host}:${admin.port}, or where ADMIN_HOST and ADMIN_PORT say`,
          ]
        : []),
    ],
  };
};
