export { claim, releaseClaim } from './claim.ts';
export { findFreePort, listenIfFree, listenOnFreePort } from './free-port.ts';
export { findPortHolder, portsOf } from './port-holder.ts';
export { childrenOf, findProcess, isRunning } from './process-table.ts';
export { watchLaunchers } from './watch-launchers.ts';
export type { ProcessEntry, ProcessIdentity } from './process-table.ts';
