import { channel } from 'node:diagnostics_channel';

/** The phases of a check, in their order. */
type CheckPhase =
  | 'start'
  | 'read'
  | 'compose'
  | 'load'
  | 'operations'
  | 'changes'
  | 'hits'
  | 'plans'
  | 'deploy order'
  | 'report';

/** Gets the name of each phase when it ends: `pnpm bench check` subscribes. */
const endedPhases = channel('meridian.check.phase');

export function endPhase(phase: CheckPhase): void {
  endedPhases.publish(phase);
}
