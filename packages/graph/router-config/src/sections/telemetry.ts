import { section } from '../declaration/key.ts';
import { events } from './telemetry/custom/events.ts';
import { instruments } from './telemetry/custom/instruments.ts';
import { spans } from './telemetry/custom/spans.ts';
import { exporters } from './telemetry/exporters.ts';

/** The exporters of telemetry, and its content. */
export const telemetry = section({ exporters, instrumentation: section({ spans, instruments, events }) });
