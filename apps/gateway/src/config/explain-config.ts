import type { Mode } from '@meridian/settings/environment';
import type { RouterConfig } from '@meridian/router-config';

/** `meridian.explain`. Without a secret, only the explorer has explanations. */
export type ExplainSettings = RouterConfig['meridian']['explain'];

/** A bearer token that cannot be guessed over the admin listener. */
const goodSecret = /^\S{20,}$/;
const needs = 'needs at least 20 characters, without spaces';

/** Undefined when explanations are off, which is the default in production. */
export function explainSettings(
  { meridian, sandbox }: RouterConfig,
  mode: Mode,
): ExplainSettings | undefined {
  const { enabled = mode === 'development', secret } = meridian.explain;
  const hasExplorer = sandbox.enabled && mode === 'development';
  return enabled && (secret !== undefined || hasExplorer) ? meridian.explain : undefined;
}

/** The faults of the section, as sentences that begin with its path. */
export function explainFaults({ meridian }: RouterConfig): readonly string[] {
  const { enabled, secret } = meridian.explain;
  if (secret === undefined) {
    return enabled === true ? [`meridian.explain.secret: is missing; ${needs}`] : [];
  }
  return goodSecret.test(secret) ? [] : [`meridian.explain.secret: ${needs}`];
}
