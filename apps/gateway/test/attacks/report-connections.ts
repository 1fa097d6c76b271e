import type { ConnectionKind, HeldMemory } from '@meridian/testing/held-memory';
import { connectionKinds, holdConnections, http2Kinds, maxHeldBytes } from '@meridian/testing/held-memory';

import type { AttackedService } from './attacked-services.ts';
import { attackedServices, startNode } from './attacked-services.ts';
import { maxStallMs } from './measure-attacks.ts';

/** Enough of them that what a process takes once is little for each. */
const connections = 60;
const unreadConnections = 5;
/** Other programs on the machine can only make a stall longer. */
const tries = 4;
/** A process frees some memory a second or two later, when it looks for idle connections. */
const settleMs = 3000;

/**
 * Prints for each service what each kind of connection costs: memory after a garbage collection, CPU time and the
 * longest stall, beside plain Node. Resolves to true when none holds more than it may, or stalls the service.
 *
 * @param only a text in the names of the connections
 */
export async function reportConnections(only: string): Promise<boolean> {
  const yardsticks = [await measureNode(only, false), await measureNode(only, true)];
  let areHeld = true;
  for (const start of attackedServices) {
    const service = await start();
    const yardstick = yardsticks[Number(service.isSecure)] ?? new Map<string, HeldMemory>();
    try {
      areHeld = (await reportOn(service, kindsOn(service, only), yardstick)) && areHeld;
    } finally {
      await service.close();
    }
  }
  return areHeld;
}

function kindsOn({ isSecure, ownKinds }: AttackedService, only: string): readonly ConnectionKind[] {
  const kinds = [...connectionKinds, ...(isSecure ? http2Kinds : []), ...ownKinds];
  return kinds.filter(({ name }) => name.includes(only));
}

async function measureNode(only: string, isSecure: boolean): Promise<ReadonlyMap<string, HeldMemory>> {
  const node = await startNode(isSecure);
  const kinds = kindsOn(node, only);
  await warmUp(node, kinds);
  const measured = new Map<string, HeldMemory>();
  for (const kind of kinds) {
    measured.set(kind.name, await measure(kind, node, Number.POSITIVE_INFINITY));
  }
  await node.close();
  return measured;
}

/** The first connections cost what a process takes once. */
async function warmUp(service: AttackedService, kinds: readonly ConnectionKind[]): Promise<void> {
  for (const kind of kinds) {
    if (kind.state !== 'unread') {
      await (await holdConnections(kind, { ...service, connections: 5 })).close();
    }
  }
}

async function reportOn(
  service: AttackedService,
  kinds: readonly ConnectionKind[],
  yardstick: ReadonlyMap<string, HeldMemory>,
): Promise<boolean> {
  await warmUp(service, kinds);
  process.stdout.write(
    `${service.name}: memory after a garbage collection, CPU time and the longest stall, for one connection\n\n` +
      '  held kB  of Node  allowed   CPU ms  stall ms    kept  connection\n',
  );
  const excessive: string[] = [];
  const stalling: string[] = [];
  for (const kind of kinds) {
    const byNode = yardstick.get(kind.name);
    const allowedBytes = maxHeldBytes(kind, {
      nodeBytes: byNode?.heldBytes ?? 0,
      isSecure: service.isSecure,
    });
    let best = await measure(kind, service, allowedBytes);
    for (let count = 1; count < tries && !isAllowed(best, kind, allowedBytes); count += 1) {
      const again = await measure(kind, service, allowedBytes);
      best = {
        ...again,
        heldBytes: Math.min(best.heldBytes, again.heldBytes),
        stallMs: Math.min(best.stallMs, again.stallMs),
      };
    }
    process.stdout.write(`${lineOf(kind, best, byNode, allowedBytes)}\n`);
    if (best.heldBytes > allowedBytes) {
      excessive.push(kind.name);
    }
    if (isStalling(best, kind)) {
      stalling.push(kind.name);
    }
  }
  process.stdout.write(
    `\n${excessive.length} of ${kinds.length} hold more than allowed; ${stalling.length} stall the event loop for more than ${maxStallMs} ms.\n\n`,
  );
  return excessive.length === 0 && stalling.length === 0;
}

function isAllowed(measured: HeldMemory, kind: ConnectionKind, allowedBytes: number): boolean {
  return measured.heldBytes <= allowedBytes && !isStalling(measured, kind);
}

/** The work for a connection is part of its CPU time: a longer stall is of other programs. Large responses are legal. */
function isStalling({ cpuMs, stallMs }: HeldMemory, { state }: ConnectionKind): boolean {
  return Math.min(cpuMs, stallMs) > maxStallMs && state !== 'unread';
}

function lineOf(
  { name }: ConnectionKind,
  { heldBytes, cpuMs, stallMs, openShare }: HeldMemory,
  byNode: HeldMemory | undefined,
  allowedBytes: number,
): string {
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
  return [
    kilobytes(heldBytes).padStart(9),
    (byNode === undefined ? '–' : kilobytes(byNode.heldBytes)).padStart(7),
    kilobytes(allowedBytes).padStart(7),
    cpuMs.toFixed(2).padStart(7),
    stallMs.toFixed(0).padStart(8),
    `${(openShare * 100).toFixed(0)} %`.padStart(6),
    name,
  ].join('  ');
}

async function measure(
  kind: ConnectionKind,
  { port, isSecure, probe }: AttackedService,
  allowedBytes: number,
): Promise<HeldMemory> {
  const count = kind.state === 'unread' ? unreadConnections : connections;
  const held = await holdConnections(kind, { port, isSecure, probe, connections: count });
  let measured = await held.measure();
  const startedMs = performance.now();
  while (measured.heldBytes > allowedBytes && performance.now() - startedMs < settleMs) {
    measured = await held.measure();
  }
  await held.close();
  return measured;
}
