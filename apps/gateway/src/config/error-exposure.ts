import type { Mode } from '@meridian/settings/environment';
import type { RouterConfig } from '@meridian/router-config';

export type MaskOptions = ReturnType<typeof maskOptions>;

/** The parts of a subgraph's errors that clients receive unchanged. */
export interface ErrorExposure {
  readonly showsMessage: boolean;
  readonly showsExtension: (key: string) => boolean;
}

/** Of a subgraph that has no setting of its own. */
const asForAll = {
  redact_message: undefined,
  allow_extensions_keys: undefined,
  deny_extensions_keys: undefined,
  exclude_global_keys: undefined,
};

type Setting = RouterConfig['include_subgraph_errors'];

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
  const own = subgraphs.get(subgraph) ?? asForAll;
  if (typeof own === 'boolean' || typeof all === 'boolean') {
    const isShown = typeof own === 'boolean' ? own : all === true;
    return isShown ? fullExposure : undefined;
  }
  const inherited = (list: readonly string[] | undefined): readonly string[] =>
    (list ?? []).filter((key) => own.exclude_global_keys?.includes(key) !== true);
  const allowed =
    own.deny_extensions_keys === undefined
      ? joined(all.allow_extensions_keys && inherited(all.allow_extensions_keys), own.allow_extensions_keys)
      : undefined;
  const denied =
    own.allow_extensions_keys === undefined
      ? joined(all.deny_extensions_keys && inherited(all.deny_extensions_keys), own.deny_extensions_keys)
      : undefined;
  return {
    showsMessage: !(own.redact_message ?? all.redact_message),
    showsExtension: (key) => allowed?.has(key) ?? denied?.has(key) !== true,
  };
}

/** Both lists; undefined where there is neither. */
function joined(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  return one === undefined && other === undefined ? undefined : new Set([...(one ?? []), ...(other ?? [])]);
}
