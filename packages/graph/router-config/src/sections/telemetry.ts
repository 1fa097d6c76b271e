import { section } from '../declaration/key.ts';
import { exporters } from './telemetry/exporters.ts';
import { instrumentation } from './telemetry/instrumentation.ts';

export const telemetry = section({ exporters, instrumentation });
