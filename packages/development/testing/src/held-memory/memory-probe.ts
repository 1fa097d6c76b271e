import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The state of a process after a garbage collection, and its work since the previous reading. */
export interface ProbeReading {
  /** On the heap and in buffers. */
  readonly heldBytes: number;
  readonly cpuMs: number;
  /** The longest time in which its event loop was blocked. */
  readonly stallMs: number;
}

/** A socket by which a process can be probed. */
export type MemoryProbe = ReturnType<typeof createMemoryProbe>;

const preload = new URL('answer-probe.ts', import.meta.url);

/** A probe for a process that is yet to start. */
export function createMemoryProbe() {
  const path = join(tmpdir(), `meridian-probe-${randomUUID()}.sock`);
  return {
    /** The variables with which the process starts. */
    variables: {
      NODE_OPTIONS: `--expose-gc --import=${preload.href}`,
      MEMORY_PROBE_PATH: path,
    },
    async read(): Promise<ProbeReading> {
      const reading: unknown = JSON.parse(await text(connect(path)));
      if (!isReading(reading)) {
        throw new Error(`The probe at ${path} gives no reading`);
      }
      return reading;
    },
  };
}

function isReading(value: unknown): value is ProbeReading {
  return typeof value === 'object' && value !== null && 'heldBytes' in value;
}
