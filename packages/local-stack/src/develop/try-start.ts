import { allocatePorts } from '../allocate-ports.ts';
import type { ProcessRecord } from '../run/process-record.ts';
import type { Program } from '../run/program.ts';
import { startService } from '../run/start-service.ts';
import type { Service } from '../services.ts';
import { StackError } from '../stack-error.ts';

/**
 * Starts a service from its current files, on free ports beside the running one, and ends it once it is ready.
 *
 * @throws {StackError} if it ends before, with the reason, such as a place in its schema
 */
export async function tryStart(
  service: Service,
  program: Program,
  { record, signal }: { readonly record: ProcessRecord; readonly signal: AbortSignal },
): Promise<void> {
  const [placed = service] = await allocatePorts([service], 'free');
  const environment = {
    ...program.environment,
    PORT: String(placed.port),
    ADMIN_PORT: String(placed.adminPort),
  };
  const running = await startService({ ...program, environment }, placed.adminPort, record);
  const kill = (): void => running.kill();
  signal.addEventListener('abort', kill);
  const end = await Promise.race([running.ready, running.ended]);
  kill();
  await running.ended;
  signal.removeEventListener('abort', kill);
  if (end !== undefined) {
    throw new StackError(`it ${end}`);
  }
}
