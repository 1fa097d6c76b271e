import type { GatewayConfig } from '../config/gateway-config.ts';
import { servesSubscriptions } from '../config/subscriptions-config.ts';

/** The modules of the features that a configuration asks for. */
export type Features = Awaited<ReturnType<typeof loadFeatures>>;

/**
 * Loads the features that a configuration asks for: the others take neither time nor memory. Nothing else imports these
 * modules (`featuresOnDemand` of .dependency-cruiser.js).
 */
export async function loadFeatures({ explorer, file, hooks, uploads }: GatewayConfig) {
  return {
    coprocessor: file.coprocessor && (await import('../coprocessor/open-coprocessor.ts')),
    explorer: explorer && (await import('../explorer/open-explorer.ts')),
    hooks: hooks && (await import('../hooks/open-hooks.ts')),
    mcp: file.meridian.mcp.enabled ? await import('../mcp/open-mcp.ts') : undefined,
    uploads: uploads && (await import('../uploads/receive-uploads.ts')),
    webSockets: servesSubscriptions(file) ? await import('../websocket/serve-web-sockets.ts') : undefined,
  };
}
