import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from './gateway-config.ts';

/**
 * Logs advice about router.yaml: a line for each note, and one line for all keys that are ignored. What each of them
 * would do is the job of `meridian-gateway check`.
 */
export function logNotes(
  { notes, ignoredKeys }: Pick<GatewayConfig, 'notes' | 'ignoredKeys'>,
  logger: Pick<Logger, 'warn'>,
): void {
  for (const note of notes) {
    logger.warn({ note }, 'router.yaml');
  }
  const { withoutEffect, unsupported } = ignoredKeys;
  if (withoutEffect.length + unsupported.length > 0) {
    logger.warn(
      { withoutEffect, unsupported },
      'keys of router.yaml are ignored here; meridian-gateway check says why, key by key',
    );
  }
}
