import type { Mode } from '@meridian/config';
import type { RouterConfig } from '@meridian/router-config';

/** Access to explanations of recent requests. */
export interface ExplainConfig {
  /** The secret that a request for explanations must carry. Without one, only the explorer has them. */
  readonly secret: string | undefined;
  /** The memory that explanations may take. */
  readonly maxBytes: number;
}

/** A bearer token that cannot be guessed over the admin listener. */
const goodSecret = /^\S{20,}$/;
const needs = 'needs at least 20 characters, without spaces';

/** Reads the settings; undefined when explanations are off, which is the default in production. */
export function explainConfig({ meridian, sandbox }: RouterConfig, mode: Mode): ExplainConfig | undefined {
  const { enabled = mode === 'development', secret, max_bytes: maxBytes } = meridian.explain;
  const hasExplorer = sandbox.enabled && mode === 'development';
  return enabled && (secret !== undefined || hasExplorer) ? { secret, maxBytes } : undefined;
}

/** The faults of the section, as sentences that begin with its path. */
export function explainFaults({ meridian }: RouterConfig): readonly string[] {
  const { enabled, secret } = meridian.explain;
  if (secret === undefined) {
    return enabled === true ? [`meridian.explain.secret: is missing; ${needs}`] : [];
  }
  return goodSecret.test(secret) ? [] : [`meridian.explain.secret: ${needs}`];
}
