export { connectionKinds, maxHeldBytes, readPath, unreadBytes, unreadKind } from './connection-kinds.ts';
export type { ConnectionKind } from './connection-kinds.ts';
export { holdConnections } from './hold-connections.ts';
export { http2Kinds } from './http2-kinds.ts';
export type { HeldConnections, HeldMemory, HoldOptions } from './hold-connections.ts';
export { createMemoryProbe } from './memory-probe.ts';
export type { MemoryProbe } from './memory-probe.ts';

/** A server of Node as it comes, in a process of its own: the yardstick for what a connection costs. */
export const nodeServer = new URL('node-server.ts', import.meta.url);
