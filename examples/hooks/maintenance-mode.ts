// Maintenance mode: no mutations until MAINTENANCE_UNTIL, such as 2030-01-31T06:00Z. Queries go on.
import type { Hooks } from 'meridian-gateway/hooks';

const until = Date.parse(process.env['MAINTENANCE_UNTIL'] ?? '');
const errors = [
  { message: 'Under maintenance: nothing can be changed', extensions: { code: 'MAINTENANCE' } },
];

export default {
  execution: {
    request({ type }) {
      const seconds = Math.ceil((until - Date.now()) / 1000);
      return type === 'mutation' && seconds > 0
        ? { status: 503, headers: { 'retry-after': String(seconds) }, errors }
        : undefined;
    },
  },
} satisfies Hooks;
