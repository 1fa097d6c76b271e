/** The faults that a request can ask for, in its header field `x-fault`. */
export const faultNames = [
  'none',
  'gzip',
  'error',
  'status',
  'reset',
  'truncated',
  'garbage',
  'silence',
  'silence in the body',
] as const;
export type FaultName = (typeof faultNames)[number];
