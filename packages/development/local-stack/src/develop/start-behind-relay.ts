import { allocatePorts } from '../allocate-ports.ts';
import type { ProcessRecord } from '../run/process-record.ts';
import type { Program } from '../run/program.ts';
import { startService } from '../run/start-service.ts';
import type { Running } from '../run/supervise.ts';
import type { Service } from '../apps/services.ts';
import type { Relay } from './relay.ts';

/**
 * Starts a service from its current files, on free ports. Once it is directed to, the relay sends to it what comes to the
 * service's own ports.
 */
export async function startBehindRelay(
  service: Service,
  program: Program,
  { relay, record }: { readonly relay: Relay; readonly record: ProcessRecord },
): Promise<Running> {
  const [placed = service] = await allocatePorts([service], 'free');
  const environment = {
    ...program.environment,
    PORT: String(placed.port),
    ADMIN_PORT: String(placed.adminPort),
  };
  const running = await startService({ ...program, environment }, placed.adminPort, record);
  return {
    ...running,
    direct() {
      relay.direct(service.port, placed.port);
      relay.direct(service.adminPort, placed.adminPort);
    },
  };
}
