import type { RouterConfig } from '@meridian/router-config';
import type { Mode } from '@meridian/settings/environment';

import { explainFaults } from './explain-config.ts';
import type { GatewayEnvironment } from './gateway-environment.ts';
import { graphsFaults } from './graph-rules.ts';
import type { TrustedKeys } from './issuers.ts';
import { keySetChecks, trustedKeys, verifiesTokens } from './issuers.ts';
import { otelFaults } from './otel-environment.ts';
import { graphPaths, isSameAddress, listenAddresses } from './listen-addresses.ts';
import { manifestFiles } from './remote-files.ts';
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
  const trusted = trustedKeys(file, environment);
  const hasTokens = verifiesTokens(trusted);
  const found: readonly Partial<StartChecks>[] = [
    keySetChecks(file, environment),
    tokenChecks(file, hasTokens),
    { notes: modeNotes(file, environment.mode) },
    listenerChecks(file, environment),
    { faults: callbackFaults(file, environment) },
    { faults: explainFaults(file) },
    { faults: mcpFaults(file, environment.mode, trusted) },
    { faults: isOfGraph ? [] : graphsFaults(file, hasTokens) },
    { faults: otelFaults(file.telemetry, environment) },
    responseCacheChecks(file, environment.REDIS_URL !== undefined),
  ];
  return {
    faults: found.flatMap(({ faults = [] }) => faults),
    notes: found.flatMap(({ notes = [] }) => notes),
  };
}

/** The sentences whose condition holds. */
function sentences(...rows: readonly (readonly [holds: boolean, sentence: string])[]): readonly string[] {
  return rows.filter(([holds]) => holds).map(([, sentence]) => sentence);
}

/** Keys that need callers with verified tokens, and the tenants of these. */
function tokenChecks(
  { authentication, authorization, meridian }: RouterConfig,
  hasTokens: boolean,
): StartChecks {
  const { override_labels: labels, tiers, throttle } = meridian;
  const ofLabels = Array.from(labels)
    .filter(([, rule]) => typeof rule === 'object' && rule.kind === 'claim')
    .map(([label]) => `override_labels.${label}`);
  const byClaim = [...ofLabels, ...(tiers === undefined ? [] : ['tiers'])].map(
    (path) =>
      `meridian.${path}.claim: needs authentication.router.jwt, which verifies the tokens that have it`,
  );
  const required = sentences([
    authorization.require_authentication,
    'authorization.require_authentication: needs authentication.router.jwt; without it, every request would be rejected',
  ]);
  return {
    faults: hasTokens ? [] : [...required, ...byClaim],
    notes: sentences([
      authentication?.router !== undefined &&
        throttle.tenant !== undefined &&
        meridian.authentication.tenant_claim === undefined,
      'meridian.throttle.tenant limits all callers of an issuer together; meridian.authentication.tenant_claim names the claim that tells tenants apart',
    ]),
  };
}

function modeNotes({ supergraph, sandbox, meridian }: RouterConfig, mode: Mode): readonly string[] {
  const isProduction = mode === 'production';
  return sentences(
    [
      supergraph.introspection && isProduction && !meridian.public_schema,
      'supergraph.introspection shows the whole schema to every accepted caller; meridian.public_schema: true confirms that this is intended',
    ],
    [
      sandbox.enabled && isProduction,
      'sandbox.enabled has no effect: the explorer is for development (NODE_ENV=development)',
    ],
  );
}

function listenerChecks(file: RouterConfig, environment: GatewayEnvironment): StartChecks {
  const { listen, admin, isHealthPublic, scrapes } = listenAddresses(file, environment);
  const { enabled, path } = file.health_check;
  return {
    faults: sentences(
      [
        isSameAddress(listen, admin),
        'health_check.listen: is the address of supergraph.listen; the admin listener needs its own port',
      ],
      [
        scrapes !== undefined && [listen, admin].some((other) => isSameAddress(other, scrapes)),
        'telemetry.exporters.metrics.prometheus.listen: is the address of another listener; it needs its own port, or the one of health_check.listen with the path /metrics',
      ],
    ),
    notes: sentences(
      [
        enabled && adminPaths.has(path),
        `health_check.path has no effect: the admin listener uses ${path} itself`,
      ],
      [
        isHealthPublic,
        `health_check.listen is the address of supergraph.listen: only ${path} is served there; /livez, /readyz and /metrics are at ${admin.host}:${admin.port}, or where ADMIN_HOST and ADMIN_PORT say`,
      ],
    ),
  };
}

function callbackFaults(
  { subscription, meridian }: RouterConfig,
  { CALLBACK_SECRET: secret }: GatewayEnvironment,
): readonly string[] {
  const { replica_url: replicaUrl } = meridian.subscription.callback;
  return sentences(
    [
      replicaUrl !== undefined && secret === undefined,
      `meridian.subscription.callback.replica_url: is ${replicaUrl}, and needs the variable CALLBACK_SECRET, the same for all replicas: each verifies calls for streams of the others`,
    ],
    [
      replicaUrl !== undefined && subscription.mode.callback === undefined,
      'meridian.subscription.callback.replica_url: needs subscription.mode.callback',
    ],
  );
}

function mcpFaults(file: RouterConfig, mode: Mode, trusted: TrustedKeys): readonly string[] {
  const { mcp } = file.meridian;
  if (!mcp.enabled) {
    return [];
  }
  const { issuers, openKeySets, introspection } = trusted;
  const hasTokens = verifiesTokens(trusted);
  const takesAnyAudience = [...issuers, ...openKeySets, ...(introspection ? [introspection] : [])].some(
    ({ audience }) => audience === undefined,
  );
  return sentences(
    [
      manifestFiles(file) === undefined,
      'meridian.mcp.enabled: its tools are the operations of the manifest; set persisted_queries.enabled: true',
    ],
    [
      graphPaths(file).includes(mcp.path),
      'meridian.mcp.path: is the path of the graph; the endpoint needs its own, such as /mcp',
    ],
    [
      hasTokens && mcp.audiences === undefined && takesAnyAudience,
      'meridian.mcp.audiences: is needed, because a token of another service must not be accepted here, and authentication names no audience',
    ],
    [
      hasTokens && mcp.resource === undefined && mode === 'production',
      'meridian.mcp.resource: is needed in production: the public URL of the endpoint, such as https://api.example/mcp',
    ],
    [
      !hasTokens && !mcp.allow_anonymous,
      'meridian.mcp.enabled: needs authentication.router.jwt; without it, callers are anonymous, which meridian.mcp.allow_anonymous: true confirms',
    ],
  );
}
