import { section } from '../../declaration/key.ts';
import { events } from './custom/events.ts';
import { instruments } from './custom/instruments.ts';
import { spans } from './custom/spans.ts';

/** The content of the telemetry. */
export const instrumentation = section({ spans, instruments, events });
