import type { Mode } from '@meridian/settings/environment';
import type { RouterConfig } from '@meridian/router-config';

export type MaskOptions = ReturnType<typeof maskOptions>;

/** The parts of a subgraph's errors that clients receive unchanged. */
export interface ErrorExposure {
  readonly showsMessage: boolean;
  readonly showsExtension: (key: string) => boolean;
}

type Setting = RouterConfig['include_subgraph_errors'];
type OwnKeys = Partial<Exclude<NonNullable<ReturnType<Setting['subgraphs']['get']>>, boolean>>;

/** All of it, as in development. */
const fullExposure: ErrorExposure = { showsMessage: true, showsExtension: () => true };

export function maskOptions(file: RouterConfig, mode: Mode) {
  return {
    /** The parts of a subgraph's errors that the client receives unchanged; undefined when there are none. */
    exposureOf: (subgraph: string) =>
      mode === 'development' ? fullExposure : errorExposure(file.include_subgraph_errors, subgraph),
    /** The codes of subgraphs that reach the client even where their errors are masked. */
    allowedCodes: new Set(file.meridian.errors.allowed_codes),
    /** True when the error of an unauthorized field names the requirement that the caller does not meet. */
    namesRequirements: mode === 'development',
  };
}

/**
 * The setting of `include_subgraph_errors` for a subgraph; undefined when all of its errors are masked. A
 * subgraph's own list extends the list for all of the same kind and replaces one of the other kind, as in
 * Apollo Router.
 */
function errorExposure({ all, subgraphs }: Setting, subgraph: string): ErrorExposure | undefined {
  const own = subgraphs.get(subgraph) ?? {};
  if (typeof own === 'boolean' || typeof all === 'boolean') {
    const isShown = typeof own === 'boolean' ? own : all === true;
    return isShown ? fullExposure : undefined;
  }
  const {
    redact_message,
    allow_extensions_keys,
    deny_extensions_keys,
    exclude_global_keys = [],
  }: OwnKeys = own;
  /** Both lists; undefined where there is neither. */
  const joined = (
    ofAll: readonly string[] | undefined,
    ofOwn: readonly string[] | undefined,
  ): ReadonlySet<string> | undefined =>
    ofAll === undefined && ofOwn === undefined
      ? undefined
      : new Set([...(ofAll ?? []).filter((key) => !exclude_global_keys.includes(key)), ...(ofOwn ?? [])]);
  const allowed =
    deny_extensions_keys === undefined ? joined(all.allow_extensions_keys, allow_extensions_keys) : undefined;
  const denied =
    allow_extensions_keys === undefined ? joined(all.deny_extensions_keys, deny_extensions_keys) : undefined;
  return {
    showsMessage: !(redact_message ?? all.redact_message),
    showsExtension: (key) => allowed?.has(key) ?? denied?.has(key) !== true,
  };
}
