import type { Mode } from '@meridian/config';
import type { RouterConfig } from '@meridian/router-config';

/** How recent requests can be asked about. */
export interface ExplainConfig {
  /** What whoever asks has to show. */
  readonly secret: string;
  /** How much memory they may take. */
  readonly maxBytes: number;
}

/** What can be sent as a bearer token, and not be guessed over the admin listener. */
const goodSecret = /^\S{20,}$/;

/** Reads whether requests can be asked about; undefined where not, as in production unless it is said. */
export function explainConfig({ meridian }: RouterConfig, mode: Mode): ExplainConfig | undefined {
  const { enabled = mode === 'development', secret, max_bytes: maxBytes } = meridian.explain;
  return enabled && secret !== undefined ? { secret, maxBytes } : undefined;
}

/** What is wrong with the section, as sentences that begin with its path. */
export function explainFaults({ meridian }: RouterConfig): readonly string[] {
  const { enabled, secret } = meridian.explain;
  const isMissing = secret === undefined && enabled === true;
  const isBad = secret !== undefined && !goodSecret.test(secret);
  return isMissing || isBad ? ['meridian.explain.secret: needs at least 20 characters, without spaces'] : [];
}
